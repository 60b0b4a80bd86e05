import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Problem } from '@posthorn/contract'
import type { ShardAnswer } from '../shards/shard-client.ts'
import { readAnswer } from './read-answer.ts'

/**
 * The same answer to read, and whether the shard says that the account moves or has moved. It then stored nothing.
 * @throws AppError `shard_unavailable` if the answer breaks off
 */
export async function readMoving(answer: ShardAnswer): Promise<{ answer: ShardAnswer; isMoving: boolean }> {
  if (answer.status !== 503 || answer.headers['content-type'] !== 'application/problem+json') {
    return { answer, isMoving: false }
  }
  const body = (await readAnswer(answer, buffer)) as Buffer
  // the answer to HEAD has no body
  const { code } = body.length === 0 ? {} : (JSON.parse(body.toString()) as Partial<Problem>)
  // one chunk, not one for each byte
  return { answer: { ...answer, body: Readable.from([body]) }, isMoving: code === 'account_moving' }
}
