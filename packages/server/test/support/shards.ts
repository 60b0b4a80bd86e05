import { randomBytes } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { readConfig } from '../../src/config.ts'
import { parseTypeId } from '../../src/domain/type-id.ts'
import { openFront } from '../../src/front/open-front.ts'
import { createLog, type Log } from '../../src/log.ts'
import { parseNamedKeys } from '../../src/seal/named-keys.ts'
import { openService, type Service } from '../../src/service.ts'
import { ShardClient } from '../../src/shards/shard-client.ts'
import { systemClock } from '../../src/system-clock.ts'
import { type Api, connectApi, type Customer, newCustomer } from './api.ts'
import { openPlace } from './open-place.ts'
import { type DatabasePlace, newDatabasePlace, newestServer } from './test-database.ts'

/** One shard of a test installation. */
export interface TestShard {
  readonly number: number
  readonly url: string
  readonly place: DatabasePlace
  /** Sends a signed request, as a front does, and returns its JSON. */
  ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; body: T }>
  /** Starts another process on the same database. */
  openBeside(): Promise<Service>
  /** Stops its process. */
  stop(): Promise<void>
  /** Starts it again on the same port, with these settings from now on. */
  start(settings?: Record<string, string>): Promise<void>
}

/** An installation of several shards on one PostgreSQL server, with a front. */
export interface TestInstallation extends AsyncDisposable {
  readonly shards: readonly TestShard[]
  readonly url: string
  readonly adminToken: string
  readonly keys: string
  readonly masterKeys: string
  readonly operator: Api
  /** What the fronts have logged. */
  readonly told: ReadonlyArray<Record<string, unknown>>
  /** The settings of a front. */
  readonly frontSettings: Record<string, string>
  /** Starts another front. */
  openFront(settings?: Record<string, string>): Promise<Service>
  /** Starts a process on an empty database, with the settings of the shards. It is no shard yet. */
  openDatabase(number: number): Promise<TestShard>
  /** Makes it a shard of the installation. */
  join(shard: TestShard): Promise<void>
  /** A customer of this shard. */
  customerOn(shard: number): Promise<Customer>
}

/** Starts shards in this process, and a front before them. */
export async function openShards(
  count: number,
  settings: { shard?: Record<string, string>; front?: Record<string, string>; keys?: string } = {},
): Promise<TestInstallation> {
  await using opened = new AsyncDisposableStack()
  const adminToken = `pha_${randomBytes(24).toString('hex')}`
  const keys = settings.keys ?? `first:${randomBytes(32).toString('base64')}`
  const masterKeys = `test:${randomBytes(32).toString('base64')}`
  const common = {
    POSTHORN_HOST: '127.0.0.1',
    POSTHORN_PORT: '0',
    POSTHORN_LOG_LEVEL: 'silent',
    POSTHORN_ADMIN_TOKEN: adminToken,
    POSTHORN_SHARD_KEYS: keys,
    POSTHORN_PUBLIC_URL: 'http://127.0.0.1:4100',
  }
  const ofShards = {
    ...common,
    POSTHORN_MASTER_KEYS: masterKeys,
    POSTHORN_EGRESS_ALLOW: '127.0.0.0/8,::1/128',
    POSTHORN_EGRESS_HTTP: 'true',
    POSTHORN_API_RATE_LIMIT: '0',
    ...settings.shard,
  }
  const shards: TestShard[] = []
  for (let number = 0; number < count; number++) {
    shards.push(opened.use(await openShard(number, ofShards, keys)))
  }
  const [first] = shards
  if (first === undefined) throw new Error('an installation needs a shard')
  const { installation_id } = (await first.ask<{ installation_id: string }>('GET', '/internal/shard')).body
  const join = async (shard: TestShard): Promise<void> => {
    expectOk(await shard.ask('POST', '/internal/join', { installation_id, shard: shard.number }))
    expectOk(await first.ask('POST', '/internal/shards', { number: shard.number, state: 'open' }))
  }
  for (const shard of shards.slice(1)) await join(shard)

  const frontSettings = {
    ...common,
    POSTHORN_ROLE: 'front',
    POSTHORN_SHARDS: shards.map(({ number, url }) => `${number}=${url}`).join(','),
    ...settings.front,
  }
  const told: Record<string, unknown>[] = []
  const log = recordingLog(told)
  const open = async (more: Record<string, string> = {}): Promise<Service> =>
    await openFront(readConfig({ ...frontSettings, ...more }).config, log)
  const front = opened.use(await open())
  const operator = connectApi(front.url, adminToken)
  const running = opened.move()
  return {
    shards,
    url: front.url,
    adminToken,
    keys,
    masterKeys,
    told,
    operator,
    frontSettings,
    openFront: open,
    openDatabase: async number => running.use(await openShard(number, ofShards, keys)),
    join,
    customerOn: async number => {
      for (;;) {
        const customer = await newCustomer(front.url, operator)
        const uuid = parseTypeId('acct', customer.accountId) ?? ''
        const here = await shards[number]?.ask<{ state: string }>('GET', `/internal/accounts/${uuid}`)
        if (here?.body.state === 'present') return customer
      }
    },
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  }
}

async function openShard(
  number: number,
  settings: Record<string, string>,
  keys: string,
): Promise<TestShard & AsyncDisposable> {
  const place = await newDatabasePlace(newestServer())
  await takeOwnId(place)
  const env: Record<string, string> = {
    ...settings,
    POSTHORN_DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl ?? '',
  }
  const log = createLog('silent')
  let service: Service | null = await openService(readConfig(env).config, log)
  const { url } = service
  const { port } = new URL(url)
  const client = new ShardClient({ number, url, keys: parseNamedKeys(keys, 'shard key'), clock: systemClock })
  const stop = async (): Promise<void> => {
    await service?.drain()
    service = null
  }
  return {
    number,
    url,
    place,
    ask: async <T>(method: 'GET' | 'POST', path: string, body?: object) => {
      const answer = await client.send({
        method,
        path,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(JSON.stringify(body)),
        }),
      })
      return { status: answer.status, body: (await json(answer.body)) as T }
    },
    openBeside: async () => await openService(readConfig(env).config, log),
    stop,
    start: async (changed = {}) => {
      Object.assign(env, changed)
      service ??= await openService(readConfig({ ...env, POSTHORN_PORT: port }).config, log)
    },
    [Symbol.asyncDispose]: async () => {
      client[Symbol.dispose]()
      await stop()
      await place[Symbol.asyncDispose]()
    },
  }
}

function expectOk({ status, body }: { status: number; body: unknown }): void {
  if (status !== 200) throw new Error(`a shard answered ${status}: ${JSON.stringify(body)}`)
}

/** Safe, because a front uses no other part of the log. */
function recordingLog(told: Record<string, unknown>[]): Log {
  const note = (fields: Record<string, unknown>, message: string): void => {
    told.push({ ...fields, message })
  }
  return { info: note, warn: note, error: note, debug: note, isLevelEnabled: () => true } as unknown as Log
}

/** Test databases are copies of one template, but every installation has an id of its own. */
async function takeOwnId(place: DatabasePlace): Promise<void> {
  await using db = await openPlace(place)
  await db.query('update installation set id = gen_random_uuid()')
}
