import * as z from 'zod'
import { parseNamedKeys } from '../../src/seal/named-keys.ts'
import { askShard, type Question } from '../../src/shards/ask-shard.ts'
import { shardDescription } from '../../src/shards/internal-api.ts'
import { ShardClient } from '../../src/shards/shard-client.ts'
import { systemClock } from '../../src/system-clock.ts'
import type { Installation, ServiceProcess } from './service-process.ts'
import { newDatabasePlace, newestServer } from './test-database.ts'
import { shardKeys } from './through-front.ts'

/** Starts the process of one shard. */
export type StartShard = (number: number, installation: Installation) => Promise<ServiceProcess>

/** Starts the shards of an installation, each a process on a database of its own. The first one has the given database. */
export async function startShards(
  count: number,
  installation: Installation,
  start: StartShard,
): Promise<{ shards: ServiceProcess[] } & AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  const shards: ServiceProcess[] = []
  for (let number = 0; number < count; number++) {
    const place = number === 0 ? installation.place : opened.use(await newDatabasePlace(newestServer()))
    shards.push(opened.use(await start(number, { ...installation, place })))
  }
  await joinShards(shards)
  const running = opened.move()
  return { shards, [Symbol.asyncDispose]: async () => await running.disposeAsync() }
}

async function joinShards([first, ...others]: readonly ServiceProcess[]): Promise<void> {
  if (first === undefined || others.length === 0) return
  const { installation_id } = await ask(first, 0, { method: 'GET', path: '/shard' }, shardDescription)
  for (const [index, shard] of others.entries()) {
    const number = index + 1
    const join = { installation_id, shard: number }
    await ask(shard, number, { method: 'POST', path: '/join', body: join }, shardDescription)
    const state = { number, state: 'open' }
    await ask(first, 0, { method: 'POST', path: '/shards', body: state }, z.unknown())
  }
}

async function ask<Schema extends z.ZodType>(
  { url }: ServiceProcess,
  number: number,
  question: Question,
  schema: Schema,
): Promise<z.output<Schema>> {
  const keys = parseNamedKeys(shardKeys, 'shard key')
  using client = new ShardClient({ number, url, keys, clock: systemClock })
  return await askShard(client, { ...question, acceptsAnyShard: true }, schema)
}
