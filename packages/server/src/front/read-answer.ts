import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import type { ShardAnswer } from '../shards/shard-client.ts'
import { shardUnavailable } from './shard-errors.ts'

/**
 * Reads the whole answer of a shard, as JSON unless `read` says otherwise.
 * @throws AppError `shard_unavailable` if the answer breaks off
 */
export async function readAnswer(
  { shard, body }: Pick<ShardAnswer, 'shard' | 'body'>,
  read: (body: Readable) => Promise<unknown> = json,
): Promise<unknown> {
  return await read(body).catch(() => {
    throw shardUnavailable(shard)
  })
}
