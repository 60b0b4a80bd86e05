import { classify } from './classify/classify.ts'
import type { Stage } from './classify/stage.ts'

/** What came of offering an email for one recipient to our mail server. */
export type Submission =
  | { readonly kind: 'accepted'; readonly reply: string }
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
  /** We log in to it. */
  readonly hasLogin?: boolean
  /** Upper bound of the first delay; each further one doubles it. */
  readonly retryBaseMs: number
}

/** An email that our mail server would not take for so long is given up. */
export const handoverMsMax = 2 * 24 * 60 * 60 * 1000

/** No email waits longer than this for its next try. */
export const handoverRetryMsMax = 10 * 60 * 1000

/** Whether the server refused this email, rather than us. */
export function isAboutTheEmail(submission: Submission): submission is Submission & { kind: 'refused' } {
  return (
    submission.kind === 'refused' && emailStages.has(submission.stage) && !loginCodes.has(submission.code)
  )
}

const emailStages: ReadonlySet<Stage> = new Set(['mail_from', 'rcpt_to', 'data', 'end_of_data'])

/** It wants a login, another one, or encryption first (RFC 4954, RFC 3207), whatever command it says so to. */
const loginCodes: ReadonlySet<number> = new Set([530, 534, 535, 538])

/**
 * Whether a server whose work it is to relay our mail refuses to, or asks for a login or encryption under a code that says
 * other things too: it is set up wrongly, or our login is. A server that puts mail into mailboxes itself and knows no login
 * of ours refuses to relay for a domain that is not its own.
 */
export function refusesToRelay(submission: Submission, { isFinalHop, hasLogin }: HandoverRules): boolean {
  if (!isAboutTheEmail(submission) || submission.code < 500) return false
  const { code, stage, reply } = submission
  if (stage !== 'mail_from' && stage !== 'rcpt_to') return false
  // a server with mailboxes of its own speaks of the recipient here
  if (stage === 'rcpt_to' && isFinalHop && hasLogin !== true) return false
  const found = classify({ disposition: 'permanent', stage, reply: { code, text: reply } })
  if (found.event !== 'email.failed') return false
  switch (found.reason) {
    case 'relay_auth_failed':
      return true
    case 'tls_required':
      return stage === 'mail_from'
    case 'authentication_failed':
      // of the sender's domain, by SPF for instance
      return false
    case 'relay_denied':
      // 551: a mailbox that has moved
      return code !== 551
  }
  // only before a recipient is named it cannot be the recipient who takes no mail from strangers
  return (stage === 'mail_from' || code === badSequence ? wantsLogin : notLoggedIn).test(reply)
}

const badSequence = 503
const notLoggedIn = /\bnot (?:been )?logged in\b/i
const wantsLogin =
  /\b(?:auth|authentication|log ?in) (?:is )?(?:required|needed|first)\b|\bmust (?:first )?(?:authenticate|log ?in)\b|\bnot (?:been )?(?:authenticated|logged in)\b|\bsmtp authentication\b/i

/**
 * @param tries how often it was offered, this time included
 * @param ageMs since it was accepted
 * @param fraction uniform in [0, 1)
 */
export function decideHandover(
  submission: Submission,
  { tries, ageMs, fraction }: { tries: number; ageMs: number; fraction: number },
  rules: HandoverRules,
): HandoverVerdict {
  if (submission.kind === 'accepted') {
    return rules.isFinalHop ? { kind: 'outcome', disposition: 'accepted' } : { kind: 'handed_over' }
  }
  const isOfEmail = isAboutTheEmail(submission)
  if (
    submission.kind === 'unsendable' ||
    (isOfEmail && submission.code >= 500 && !refusesToRelay(submission, rules))
  ) {
    return { kind: 'outcome', disposition: 'permanent' }
  }
  if (ageMs >= handoverMsMax) return { kind: 'outcome', disposition: 'expired' }
  // one that waits for the server, as all do, is offered again soon after it is back
  const doublings = isOfEmail ? Math.min(tries - 1, 30) : 0
  const ceilingMs = Math.min(handoverRetryMsMax, rules.retryBaseMs * 2 ** doublings)
  // half of it at least, so that nothing is offered again at once
  return { kind: 'again', inMs: Math.ceil(ceilingMs * (0.5 + fraction / 2)) }
}
