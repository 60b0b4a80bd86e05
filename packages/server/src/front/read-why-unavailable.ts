import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Problem } from '@posthorn/contract'
import type { ShardAnswer } from '../shards/shard-client.ts'
import { readAnswer } from './read-answer.ts'

/**
 * The same answer to read, and the error code if its status is 503. The code is null for any other status, and if the answer
 * has no problem document.
 * @throws AppError `shard_unavailable` if the answer breaks off
 */
export async function readWhyUnavailable(
  answer: ShardAnswer,
): Promise<{ answer: ShardAnswer; code: string | null }> {
  if (answer.status !== 503 || answer.headers['content-type'] !== 'application/problem+json') {
    return { answer, code: null }
  }
  const body = (await readAnswer(answer, buffer)) as Buffer
  // the answer to HEAD has no body
  const { code = null } = body.length === 0 ? {} : (JSON.parse(body.toString()) as Partial<Problem>)
  // one chunk, not one for each byte
  return { answer: { ...answer, body: Readable.from([body]) }, code }
}
