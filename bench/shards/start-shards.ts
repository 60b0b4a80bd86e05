import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseNamedKeys } from '../../packages/server/src/seal/named-keys.ts'
import { askShard } from '../../packages/server/src/shards/ask-shard.ts'
import { shardDescription, shardState } from '../../packages/server/src/shards/internal-api.ts'
import { ShardClient } from '../../packages/server/src/shards/shard-client.ts'
import { systemClock } from '../../packages/server/src/system-clock.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import {
  type Installation,
  newInstallation,
  type ServiceProcess,
  startService,
} from '../../packages/server/test/support/service-process.ts'
import type { DatabasePlace } from '../../packages/server/test/support/test-database.ts'
import { newPlace } from '../support/place.ts'

/** One shard: a service process with a database on a server of its own. */
export interface StartedShard {
  number: number
  postgres: PostgresServer
  place: DatabasePlace
  service: ServiceProcess
}

/** An installation of one or more shards. */
export interface ShardedInstallation extends AsyncDisposable {
  /** Takes requests: the front, or the only shard. */
  entry: ServiceProcess
  front: ServiceProcess | null
  shards: StartedShard[]
  adminToken: string
}

/** Starts one shard on each server, and a front if wanted. Without one, there is one shard. */
export async function startShards(
  servers: readonly PostgresServer[],
  { hasFront }: { hasFront: boolean },
): Promise<ShardedInstallation> {
  await using opened = new AsyncDisposableStack()
  const shardKeys = `bench:${randomBytes(32).toString('base64')}`
  // any URL, because nobody signs in
  const settings = { POSTHORN_PUBLIC_URL: 'https://posthorn.example' }
  const shardSettings = hasFront ? { ...settings, POSTHORN_SHARD_KEYS: shardKeys } : settings
  let common: Installation | null = null
  const shards: StartedShard[] = []
  for (const [number, postgres] of servers.entries()) {
    const place = opened.use(await newPlace('PostgreSQL', postgres))
    common ??= newInstallation(place)
    const service = opened.use(await startService({ ...common, place }, shardSettings))
    shards.push({ number, postgres, place, service })
  }
  const [first] = shards
  if (common === null || first === undefined) throw new Error('an installation has at least one shard')
  const { adminToken } = common
  if (!hasFront) {
    const all = opened.move()
    return {
      entry: first.service,
      front: null,
      shards,
      adminToken,
      [Symbol.asyncDispose]: async () => await all.disposeAsync(),
    }
  }
  await joinShards(shards, shardKeys)
  const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
  opened.defer(() => rmSync(dataDir, { recursive: true }))
  const place = { databaseUrl: null, dataDir, [Symbol.asyncDispose]: async () => {} }
  const front = opened.use(
    await startService(
      { ...common, place },
      {
        ...settings,
        POSTHORN_ROLE: 'front',
        POSTHORN_SHARDS: shards.map(({ number, service }) => `${number}=${service.url}`).join(','),
        POSTHORN_SHARD_KEYS: shardKeys,
      },
    ),
  )
  const all = opened.move()
  return {
    entry: front,
    front,
    shards,
    adminToken,
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

/** Makes all shards one installation, like `posthorn shards add`. */
async function joinShards(shards: readonly StartedShard[], shardKeys: string): Promise<void> {
  const keys = parseNamedKeys(shardKeys, 'shard key')
  const [first, ...others] = shards.map(
    ({ number, service }) => new ShardClient({ number, url: service.url, keys, clock: systemClock }),
  )
  if (first === undefined) return
  const { installation_id } = await askShard(first, { method: 'GET', path: '/shard' }, shardDescription)
  for (const other of others) {
    const shard = other.number
    const joined = { method: 'POST', path: '/join', body: { installation_id, shard } } as const
    await askShard(other, { ...joined, acceptsAnyShard: true }, shardDescription)
    const opened = { method: 'POST', path: '/shards', body: { number: shard, state: 'open' } } as const
    await askShard(first, opened, shardState)
    other[Symbol.dispose]()
  }
  first[Symbol.dispose]()
}
