import { AppError } from '../errors.ts'

/** The error if a shard does not answer. */
export function shardUnavailable(shard: number): AppError {
  return new AppError(
    'shard_unavailable',
    `Shard ${shard} of this installation does not respond. Wait for the number of seconds in Retry-After, then repeat the request with the same outcome_id or Idempotency-Key.`,
  )
}
