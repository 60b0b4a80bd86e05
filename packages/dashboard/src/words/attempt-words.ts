import type { Attempt } from '@posthorn/contract'
import { attemptErrorTexts, splitAttemptMessage } from '@posthorn/contract/plain'
import { formatDuration } from '../format/numbers.ts'

/** The result of one attempt, in a sentence. */
export function attemptHeadline({
  error,
  status_code: status,
  duration_ms: ms,
}: Pick<Attempt, 'error' | 'status_code' | 'duration_ms'>): string {
  if (error === null) return `Your server answered ${status ?? '2xx'} in ${formatDuration(ms)}.`
  // a message that was stored without text still has its code
  return splitAttemptMessage(error.code, error.message).headline || `${attemptErrorTexts[error.code].label}.`
}

/** Why an attempt failed and what to do about it; empty if we do not know. */
export function attemptAdvice({ error }: Pick<Attempt, 'error'>): string {
  return error === null ? '' : splitAttemptMessage(error.code, error.message).advice
}

/** The result for a line of a list: `200`, `500 from your server`, `Certificate expired`. */
export function attemptResult({
  error,
  status_code: status,
}: Pick<Attempt, 'error' | 'status_code'>): string {
  if (error === null) return `${status ?? '2xx'} from your server`
  return status === null ? attemptErrorTexts[error.code].label : `${status} from your server`
}

/** The result for somebody who just pressed Retry now. */
export function triedAgainWords(attempt: Pick<Attempt, 'error' | 'status_code' | 'duration_ms'>): string {
  if (attempt.error !== null) return `Failed again: ${attemptHeadline(attempt)}`
  return `Tried again: ${attempt.status_code ?? '2xx'} in ${formatDuration(attempt.duration_ms)}.`
}
