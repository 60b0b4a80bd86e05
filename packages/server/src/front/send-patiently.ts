import type { ShardAnswer } from '../shards/shard-client.ts'
import type { Front } from './front.ts'
import { type ShardCall, sendToShard } from './send-to-shard.ts'

/** How long to wait before a request is sent again. */
const pauseMs = 250

/**
 * Sends a request to a shard. If it may be repeated, it is sent again while the shard answers 503, because its database may be
 * failing over.
 *
 * @param untilMs when to give up, by the monotonic clock
 * @throws AppError `shard_unavailable`, `account_moving`
 */
export async function sendPatiently(
  front: Front,
  shard: number,
  call: ShardCall,
  untilMs: number,
): Promise<ShardAnswer> {
  for (;;) {
    const answer = await sendToShard(front, { shard }, call)
    if (answer.status !== 503 || !call.isRepeatable || front.clock.monotonicMs() >= untilMs) return answer
    answer.body.resume()
    await front.wait(pauseMs)
  }
}
