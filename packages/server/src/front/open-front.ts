import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { drainGivenUpAfterMs } from '../domain/drain-limits.ts'
import { endsWithin } from '../ends-within.ts'
import { listeningUrl } from '../listening.ts'
import type { Log } from '../log.ts'
import { openSmtpPort } from '../open-smtp-port.ts'
import type { Member } from '../processes/this-member.ts'
import type { Service } from '../service.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { type FrontPartsOptions, openFrontParts } from './open-front-parts.ts'
import { shardMail } from './shard-mail.ts'

export interface FrontOptions extends FrontPartsOptions {
  member?: Member | null
  /** A front exports its log. */
  telemetry?: Telemetry | null
}

/** The composition root of a front: it creates all parts and starts them. A front has no database. */
export async function openFront(config: Config, log: Log, options: FrontOptions = {}): Promise<Service> {
  await using opened = new AsyncDisposableStack()
  const { front, app } = opened.use(await openFrontParts(config, log, options))
  opened.use(await openSmtpPort(config, log, shardMail(front)))
  await app.listen({ host: config.host, port: config.port })
  await options.member?.ready(new Registry())

  const running = opened.move()
  let draining: Promise<boolean> | undefined
  const drain = async (): Promise<boolean> => {
    draining ??= endsWithin(drainGivenUpAfterMs, running.disposeAsync(), () =>
      log.error({}, 'draining took too long: requests under way are ended'),
    )
    return await draining
  }
  const { port } = app.server.address() as AddressInfo
  return {
    url: listeningUrl(config.host, port),
    adminTokenPath: null,
    // a front never needs to end by itself
    lost: new Promise<never>(() => {}),
    drain,
    [Symbol.asyncDispose]: async () => {
      await drain()
    },
  }
}
