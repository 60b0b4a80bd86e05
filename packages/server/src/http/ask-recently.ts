import type { Clock } from '../context.ts'
import { AppError } from '../errors.ts'

/** For how long an answer about a credential is believed. Whoever revokes one waits as long before answering. */
export const believedMs = 1_000

/** How often a busy database is asked before the caller is told to come back. */
const questionsMax = 5

/**
 * Asks until an answer comes in time: one that took longer may be older than a revocation that has been answered.
 * @throws AppError `overloaded` when none does
 */
export async function askRecently<Answer>(
  clock: Clock,
  ask: () => Promise<Answer>,
): Promise<{ answer: Answer; untilMs: number }> {
  for (let asked = 0; asked < questionsMax; asked++) {
    // counted from before the question, because the answer may describe that moment
    const untilMs = clock.monotonicMs() + believedMs
    const answer = await ask()
    if (clock.monotonicMs() < untilMs) return { answer, untilMs }
  }
  throw new AppError('overloaded', 'It took too long to check the credential. Try again in a second.')
}
