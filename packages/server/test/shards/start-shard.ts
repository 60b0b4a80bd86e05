import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/service.ts'
import { ShardClient, type ShardRequest } from '../../src/shards/shard-client.ts'
import { systemClock } from '../../src/system-clock.ts'
import { type DatabasePlace, newDatabasePlace, newestServer } from '../support/test-database.ts'

export const adminToken = `pha_${'t'.repeat(40)}`
const masterKeys = `test:${randomBytes(32).toString('base64')}`

/** A key as `POSTHORN_SHARD_KEYS` has it. */
export function shardKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`
}

export interface RunningShard extends AsyncDisposable {
  url: string
  place: DatabasePlace
}

/** A service on a PostgreSQL database that has these shard keys. Without a place, the database is new. */
export async function startShard(
  keys: string,
  { place, settings = {} }: { place?: DatabasePlace; settings?: Record<string, string> } = {},
): Promise<RunningShard> {
  await using opened = new AsyncDisposableStack()
  const database = place ?? opened.use(await newInstallationPlace())
  const { config } = readConfig({
    POSTHORN_PORT: '0',
    POSTHORN_DATA_DIR: database.dataDir,
    ...(database.databaseUrl !== null && { DATABASE_URL: database.databaseUrl }),
    POSTHORN_ADMIN_TOKEN: adminToken,
    POSTHORN_MASTER_KEYS: masterKeys,
    POSTHORN_PUBLIC_URL: 'https://posthorn.example',
    POSTHORN_SHARD_KEYS: keys,
    ...settings,
  })
  const service = opened.use(await openService(config, createLog('silent')))
  const running = opened.move()
  return {
    url: service.url,
    place: database,
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  }
}

/** A new database that is an installation of its own. Test databases are copies of one template. */
async function newInstallationPlace(): Promise<DatabasePlace> {
  const place = await newDatabasePlace(newestServer())
  await using db = await openDatabase({
    url: place.databaseUrl,
    dataDir: '',
    connectionsMax: 1,
    onLost: () => {},
  })
  await db.query('update installation set id = gen_random_uuid()')
  return place
}

export function clientOf({ url }: { url: string }, number: number, keys: string): ShardClient {
  const parsed = keys.split(',').map(part => {
    const [id = '', key = ''] = part.split(':')
    return { id, key: Buffer.from(key, 'base64') }
  })
  return new ShardClient({ number, url, keys: parsed, clock: systemClock })
}

/** Sends a request as a front does and reads the whole answer. */
export async function ask(
  client: ShardClient,
  method: string,
  path: string,
  { json, ...rest }: Partial<ShardRequest> & { json?: unknown } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await client.send({
    method,
    path,
    ...(json !== undefined && { body: Buffer.from(JSON.stringify(json)) }),
    ...rest,
    headers: {
      host: 'posthorn.example',
      authorization: `Bearer ${adminToken}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...rest.headers,
    },
  })
  const content = await text(answer.body)
  return {
    status: answer.status,
    body: content === '' ? {} : (JSON.parse(content) as Record<string, unknown>),
  }
}
