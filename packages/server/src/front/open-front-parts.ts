import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError, operatorProxiesOf } from '../config.ts'
import type { Clock, Random } from '../context.ts'
import { dashboardFolder } from '../dashboard-folder.ts'
import { expectedSchemaVersion } from '../db/migrate.ts'
import { shardFlaw } from '../domain/shard-flaw.ts'
import { type DashboardFiles, readDashboardFiles } from '../http/dashboard-files.ts'
import { closeApp } from '../listening.ts'
import type { Log } from '../log.ts'
import { systemClock, systemRandom } from '../system-clock.ts'
import { packageVersion } from '../version.ts'
import { Directory } from './directory.ts'
import { askShard } from '../shards/ask-shard.ts'
import { directoryPage } from '../shards/internal-api.ts'
import type { Front } from './front.ts'
import { createFrontApp } from './front-app.ts'
import { callerReader } from './front-caller.ts'
import { greetShards } from './greet-shards.ts'
import { HeldBytes } from './held-bytes.ts'
import { Shard } from './shard.ts'

/** A front whose server does not listen yet. */
export interface FrontParts extends AsyncDisposable {
  readonly front: Front
  readonly app: FastifyInstance
}

/** Replacements for tests. */
export interface FrontPartsOptions {
  clock?: Clock
  random?: Random
  dashboard?: DashboardFiles | null
  /** How many bytes of requests it keeps to send them again. */
  heldBytesMax?: number
}

/** How long shard 0 may take to answer about its directory. */
const directoryMsMax = 2_000

/** Creates the parts of a front and connects them, and asks all shards who they are. */
export async function openFrontParts(
  config: Config,
  log: Log,
  options: FrontPartsOptions = {},
): Promise<FrontParts> {
  const { clock = systemClock, random = systemRandom } = options
  await using opened = new AsyncDisposableStack()
  const { shards: addresses, shardKeys: keys, adminToken, publicUrl } = config
  if (addresses === null || keys === null || adminToken === null || publicUrl === null) {
    throw new ConfigError(
      'a front needs POSTHORN_SHARDS, POSTHORN_SHARD_KEYS, POSTHORN_ADMIN_TOKEN and POSTHORN_PUBLIC_URL',
    )
  }

  // the shards and the directory in shard 0
  const closing = new AbortController()
  const waitUnlessClosing = async (ms: number): Promise<void> =>
    await wait(ms, undefined, { signal: closing.signal }).catch(() => {})
  const schema = await expectedSchemaVersion()
  const shards = new Map<number, Shard>()
  for (const address of addresses) {
    const shard = new Shard({
      address,
      keys,
      clock,
      wait: waitUnlessClosing,
      log,
      flawOf: found =>
        shardFlaw(
          { installationId: found.installation_id, schema: found.schema },
          { installationId: directory.installationId, schema },
        ),
    })
    shards.set(shard.number, opened.use(shard))
  }
  const directory: Directory = opened.use(
    new Directory({
      read: async after => {
        const shard0 = shards.get(0)
        if (shard0 === undefined) throw new ConfigError('POSTHORN_SHARDS has no shard 0')
        const question = { method: 'GET', path: `/directory?after=${after}`, msMax: directoryMsMax } as const
        return await askShard(shard0, question, directoryPage)
      },
      monotonicMs: () => clock.monotonicMs(),
      wait: waitUnlessClosing,
      log,
    }),
  )
  opened.defer(() => closing.abort())
  await greetShards({ shards, directory, log })
  for (const shard of shards.values()) shard.watch()
  directory.follow()

  const front: Front = {
    shards,
    directory,
    operatorToken: adminToken,
    readCaller: callerReader(adminToken),
    held: new HeldBytes(options.heldBytesMax),
    publicUrl: () => publicUrl,
    clock,
    random,
    wait: async ms => await wait(ms),
    log,
  }
  const { dashboard = readDashboardFiles(dashboardFolder()) } = options
  const app = createFrontApp(front, {
    version: packageVersion(),
    mixedReports: config.mixedReports,
    operatorProxies: operatorProxiesOf(config),
    dashboard,
  })
  opened.defer(async () => await closeApp(app))

  const parts = opened.move()
  return { front, app, [Symbol.asyncDispose]: async () => await parts.disposeAsync() }
}
