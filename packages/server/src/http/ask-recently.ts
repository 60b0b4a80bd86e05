import type { Clock } from '../context.ts'
import { AppError } from '../errors.ts'

/** How long a checked credential stays valid in memory. A revocation waits this long before it returns. */
export const believedMs = 1_000

/** How often to ask a slow database before the caller gets `overloaded`. */
const questionsMax = 5

/**
 * Repeats the question until an answer arrives in time, because a late one may be older than a finished revocation.
 * @throws AppError `overloaded` if none arrives in time
 */
export async function askRecently<Answer>(
  clock: Clock,
  ask: () => Promise<Answer>,
): Promise<{ answer: Answer; untilMs: number }> {
  for (let asked = 0; asked < questionsMax; asked++) {
    // starts before the question, because the answer may describe that moment
    const untilMs = clock.monotonicMs() + believedMs
    const answer = await ask()
    if (clock.monotonicMs() < untilMs) return { answer, untilMs }
  }
  throw new AppError('overloaded', 'Posthorn could not check the credential in time. Try again in a second.')
}
