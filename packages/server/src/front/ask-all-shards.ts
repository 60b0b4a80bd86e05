import { json, text } from 'node:stream/consumers'
import type { Problem } from '@posthorn/contract'
import { AppError } from '../errors.ts'
import type { Front } from './front.ts'
import { readAnswer } from './read-answer.ts'
import { type ShardCall, sendToShard } from './send-to-shard.ts'

/** What one shard answers; null if it does not answer or fails. */
export interface ShardReply {
  readonly shard: number
  readonly answer: { readonly status: number; readonly body: unknown } | null
  /** Why the shard is down; null if it is up. */
  readonly problem: string | null
}

/**
 * Sends a GET to every shard at once. Resolves when each has answered or is down; ordered by number.
 * @throws AppError if a shard refuses the request
 */
export async function askAllShards(
  front: Front,
  { path, headers, as = 'json' }: Pick<ShardCall, 'path' | 'headers'> & { readonly as?: 'json' | 'text' },
): Promise<ShardReply[]> {
  const numbers = [...front.shards.keys()].sort((a, b) => a - b)
  const replies = await Promise.all(
    numbers.map(async (shard): Promise<ShardReply> => {
      const call = { method: 'GET', path, ...(headers !== undefined && { headers }), isRepeatable: true }
      try {
        const answer = await sendToShard(front, { shard }, call)
        const content = await readAnswer(answer, as === 'json' ? json : text)
        const { status } = answer
        if (status < 500) return { shard, answer: { status, body: content }, problem: null }
        return { shard, answer: null, problem: `Shard ${shard} answers ${status}: ${detailOf(content)}` }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { shard, answer: null, problem: front.shards.get(shard)?.trouble?.message ?? error.message }
      }
    }),
  )
  const refused = replies.find(({ answer }) => answer !== null && answer.status !== 200)
  if (refused?.answer == null) return replies
  const { code, detail, errors } = refused.answer.body as Problem
  throw new AppError(code, detail, errors)
}

function detailOf(body: unknown): string {
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : body
  return String(detail)
}
