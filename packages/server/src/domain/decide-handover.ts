import { classify } from './classify/classify.ts'
import type { Stage } from './classify/stage.ts'

/** The result of submitting an email for one recipient to our mail server. */
export type Submission =
  | { readonly kind: 'accepted'; readonly reply: string }
  /** The server answered a command with a refusal. */
  | { readonly kind: 'refused'; readonly stage: Stage; readonly code: number; readonly reply: string }
  /** The email can never be submitted in this form. */
  | { readonly kind: 'unsendable'; readonly stage: Stage; readonly reply: string }
  /** There was no answer, or it was not about this email. */
  | { readonly kind: 'unreachable'; readonly stage: Stage; readonly reply: string }

/** What happens to the email next. */
export type HandoverVerdict =
  | { readonly kind: 'handed_over' }
  | { readonly kind: 'outcome'; readonly disposition: 'accepted' | 'permanent' | 'expired' }
  | { readonly kind: 'again'; readonly inMs: number }

export interface HandoverRules {
  /** Our mail server puts mail directly into the recipients' mailboxes. */
  readonly isFinalHop: boolean
  /** We log in to the mail server. */
  readonly hasLogin?: boolean
  /** The upper bound of the first delay. It doubles with each try. */
  readonly retryBaseMs: number
}

/** An email is given up if our mail server has not accepted it within this time. */
export const handoverMsMax = 2 * 24 * 60 * 60 * 1000

/** The longest delay until the next try. */
export const handoverRetryMsMax = 10 * 60 * 1000

/** Whether the server refused this email, and not our login or connection. */
export function isAboutTheEmail(submission: Submission): submission is Submission & { kind: 'refused' } {
  return (
    submission.kind === 'refused' && emailStages.has(submission.stage) && !loginCodes.has(submission.code)
  )
}

const emailStages: ReadonlySet<Stage> = new Set(['mail_from', 'rcpt_to', 'data', 'end_of_data'])

/** The server requires a login, another login, or encryption (RFC 4954, RFC 3207), whichever command it answers. */
const loginCodes: ReadonlySet<number> = new Set([530, 534, 535, 538])

/**
 * Whether our relay refuses to relay, or asks for a login or encryption under a code that has other meanings too. Then the
 * relay or our login is misconfigured. A final server without a login is not a relay: it refuses domains that it does not host.
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
 * @param tries number of submissions so far, including this one
 * @param ageMs time since we accepted the email
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
  // if the server is down, all emails wait for it, so they are submitted soon after it is back
  const doublings = isOfEmail ? Math.min(tries - 1, 30) : 0
  const ceilingMs = Math.min(handoverRetryMsMax, rules.retryBaseMs * 2 ** doublings)
  // at least half of the ceiling, so that no email is submitted again at once
  return { kind: 'again', inMs: Math.ceil(ceilingMs * (0.5 + fraction / 2)) }
}
