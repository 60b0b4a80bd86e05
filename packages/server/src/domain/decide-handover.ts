import type { Stage } from './classify/stage.ts'

/** What came of offering an email for one recipient to our mail server. */
export type Submission =
  | { readonly kind: 'taken'; readonly reply: string }
  /** The server answered a command with a refusal. */
  | { readonly kind: 'refused'; readonly stage: Stage; readonly code: number; readonly reply: string }
  /** It cannot be offered as it is, and never will be. */
  | { readonly kind: 'unsendable'; readonly stage: Stage; readonly reply: string }
  /** There was no answer, or none that is about this email. */
  | { readonly kind: 'unreachable'; readonly stage: Stage; readonly reply: string }

/** What follows of it. */
export type HandoverVerdict =
  | { readonly kind: 'handed_over' }
  | { readonly kind: 'outcome'; readonly disposition: 'accepted' | 'permanent' | 'expired' }
  | { readonly kind: 'again'; readonly inMs: number }

export interface HandoverRules {
  /** What our mail server takes lies in the recipient's mailbox. */
  readonly isFinalHop: boolean
  /** Upper bound of the first delay; each further one doubles it. */
  readonly retryBaseMs: number
}

/** An email that our mail server would not take for so long is given up. */
export const handoverMsMax = 2 * 24 * 60 * 60 * 1000

/** No email waits longer than this for its next try. */
const retryMsMax = 10 * 60 * 1000

/** Whether the server refused this email, rather than us. */
export function isAboutTheEmail(submission: Submission): submission is Submission & { kind: 'refused' } {
  return submission.kind === 'refused' && emailStages.has(submission.stage)
}

const emailStages: ReadonlySet<Stage> = new Set(['mail_from', 'rcpt_to', 'data', 'end_of_data'])

/**
 * @param tries how often it was offered, this time included
 * @param ageMs since it was accepted
 * @param fraction uniform in [0, 1)
 */
export function decideHandover(
  submission: Submission,
  { tries, ageMs, fraction }: { tries: number; ageMs: number; fraction: number },
  { isFinalHop, retryBaseMs }: HandoverRules,
): HandoverVerdict {
  if (submission.kind === 'taken') {
    return isFinalHop ? { kind: 'outcome', disposition: 'accepted' } : { kind: 'handed_over' }
  }
  const isOfEmail = isAboutTheEmail(submission)
  if (submission.kind === 'unsendable' || (isOfEmail && submission.code >= 500)) {
    return { kind: 'outcome', disposition: 'permanent' }
  }
  if (ageMs >= handoverMsMax) return { kind: 'outcome', disposition: 'expired' }
  // one that waits for the server, as all do, is offered again soon after it is back
  const doublings = isOfEmail ? Math.min(tries - 1, 30) : 0
  const ceilingMs = Math.min(retryMsMax, retryBaseMs * 2 ** doublings)
  // half of it at least, so that nothing is offered again at once
  return { kind: 'again', inMs: Math.ceil(ceilingMs * (0.5 + fraction / 2)) }
}
