import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Api, connectApi } from './api.ts'
import { freePort } from './free-port.ts'
import { killWhenOrphaned } from './kill-when-orphaned.ts'
import { startShards } from './shard-processes.ts'
import { isThroughFront, openFrontBefore, shardKeys, shardsBehindFront } from './through-front.ts'
import { refuseSecrets } from './refuse-secrets.ts'
import type { DatabasePlace } from './test-database.ts'
import { until } from './until.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Creating the embedded database takes long on a busy machine. */
const startMsMax = 180_000

/** The credentials that all processes of one test installation share. */
export interface Installation {
  place: DatabasePlace
  adminToken: string
  masterKeys: string
  /** The `main.ts` to run, if it is not the one of this tree. */
  main?: string
}

export function newInstallation(place: DatabasePlace): Installation {
  return {
    place,
    adminToken: `pha_${randomBytes(24).toString('hex')}`,
    masterKeys: `test:${randomBytes(32).toString('base64')}`,
  }
}

/** A Posthorn process, started as an operator does. Stopping it fails if it has printed a secret. */
export interface ServiceProcess extends AsyncDisposable {
  url: string
  pid: number
  /** The API with the operator token. */
  operator: Api
  /** The output so far. */
  output(): string
  /** @throws Error if it has printed a secret; stopping the process checks this too */
  refuseSecrets(): void
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>
  /** Sends SIGTERM and waits for the exit code. */
  stop(): Promise<number | null>
  signal(name: NodeJS.Signals): void
}

/** Starts a service and waits until it is ready. In tests through a front, its URL is that of a front. */
export async function startService(
  installation: Installation,
  settings: Record<string, string> = {},
): Promise<ServiceProcess> {
  return isThroughFront() && settings['POSTHORN_ROLE'] !== 'dispatcher'
    ? await startBehindFront(installation, settings)
    : await startProcess(installation, settings)
}

/** Starts the service as a shard, more shards if the tests want them, and a front in this process. */
async function startBehindFront(
  installation: Installation,
  settings: Record<string, string>,
): Promise<ServiceProcess> {
  await using opened = new AsyncDisposableStack()
  const { POSTHORN_PORT: port = String(await freePort()), ...others } = settings
  const publicUrl = settings['POSTHORN_PUBLIC_URL'] ?? `http://127.0.0.1:${port}`
  const ofShard = { POSTHORN_SHARD_KEYS: shardKeys, POSTHORN_PUBLIC_URL: publicUrl, ...others }
  const { shards } = opened.use(
    await startShards(shardsBehindFront(), installation, async (_, of) => await startProcess(of, ofShard)),
  )
  const urls = shards.map(shard => shard.url)
  const { adminToken } = installation
  const { app } = opened.use(await openFrontBefore(urls, { adminToken, publicUrl }, { settings }))
  const url = await app.listen({ host: '127.0.0.1', port: Number(port) })
  const [first] = shards
  if (first === undefined) throw new Error('POSTHORN_TEST_THROUGH_FRONT must be a number of shards')
  const running = opened.move()
  const stop = async (): Promise<number | null> => {
    const code = await first.stop()
    await running.disposeAsync()
    return code
  }
  return {
    ...first,
    url,
    operator: connectApi(url, adminToken),
    kill: async () => {
      await first.kill()
      await running.disposeAsync()
    },
    stop,
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  }
}

/** Starts a service and waits until it is ready. */
export async function startProcess(
  installation: Installation,
  settings: Record<string, string>,
): Promise<ServiceProcess> {
  const child = spawnService(installation, settings)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const ended = once(child, 'exit')
  const url = await until(
    'the service says where it listens',
    () => {
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}:\n${output}`)
      return /"url":"(http:[^"]+)"/.exec(output)?.[1]
    },
    startMsMax,
  )
  const refusePrinted = (): void =>
    refuseSecrets(output, [installation.adminToken, ...masterKeysOf(installation)])
  const stop = async (name: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(name)
      await ended
    }
    refusePrinted()
    return child.exitCode
  }
  return {
    url,
    pid: child.pid ?? 0,
    operator: connectApi(url, installation.adminToken),
    output: () => output,
    refuseSecrets: refusePrinted,
    kill: async () => {
      await stop('SIGKILL')
    },
    stop: async () => await stop('SIGTERM'),
    signal: name => child.kill(name),
    [Symbol.asyncDispose]: async () => {
      await stop('SIGKILL')
    },
  }
}

function masterKeysOf({ masterKeys }: Installation): string[] {
  return masterKeys.split(',').map(part => part.split(':')[1] ?? '')
}

/** Starts a service without waiting. It ends when this process does. */
export function spawnService(
  installation: Installation,
  settings: Record<string, string> = {},
): ChildProcess {
  const { place, adminToken, masterKeys } = installation
  const command = ['--conditions=@posthorn/source', installation.main ?? main, 'start']
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      POSTHORN_PORT: '0',
      POSTHORN_DATA_DIR: place.dataDir,
      ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl }),
      POSTHORN_ADMIN_TOKEN: adminToken,
      POSTHORN_MASTER_KEYS: masterKeys,
      POSTHORN_EGRESS_ALLOW: '127.0.0.0/8,::1/128',
      POSTHORN_EGRESS_HTTP: 'true',
      POSTHORN_API_RATE_LIMIT: '0',
      ...settings,
    },
  })
  killWhenOrphaned(child, 'process')
  return child
}
