import type { Classification } from './classification.ts'
import { delivered, failed, nothing, unsubscribed } from './classification.ts'
import { classifyRefusal } from './classify-refusal.ts'
import type { Disposition, RawOutcome } from './raw-outcome.ts'
import { decisionSentence } from './decision-sentence.ts'
import { type Reply, readReply } from './read-reply.ts'
import type { Stage } from './stage.ts'

/**
 * Decides what a mail system's report means. `email.bounced` requires proof that the recipient's address is permanently bad.
 * Every other permanent failure is `email.failed`.
 *
 * The reporter's own disposition, such as `suppressed`, takes precedence over the reply of a server. `classifyRefusal` decides
 * refusals.
 *
 * @example
 * classify({ reply: { text: '550 5.1.1 <ann@example.org>: User unknown' } }).event // 'email.bounced'
 */
export function classify(raw: RawOutcome): ExplainedClassification {
  const found = decide(raw)
  return { ...found, decidedBy: decisionSentence(found, raw) }
}

export type ExplainedClassification = Classification & {
  /** A sentence that says what decided. */
  readonly decidedBy: string
}

function decide(raw: RawOutcome): Classification {
  const reply = readReply(raw.reply)
  const stage = raw.stage ?? reply.stage
  const context = [reply, stage] as const
  switch (raw.disposition ?? impliedDisposition(reply, stage)) {
    case 'suppressed':
      return failed('suppressed', 'recipient_suppressed', context)
    case 'cancelled':
      return failed('cancelled', 'cancelled', context)
    case 'signing_error':
      return failed('signing_error', signingFailure(reply.words), context)
    case 'complaint':
      return unsubscribed('complaint')
    case 'unsubscribe':
      return unsubscribed('api')
    case 'accepted':
      return accepted(reply, stage)
    case 'temporary':
      return nothing('temporary', 'temporary', 'The mail system is still trying to deliver the email.')
    case 'expired':
      return classifyRefusal(raw, reply, stage, true)
    case 'permanent':
      return classifyRefusal(raw, reply, stage, false)
    case null:
      return nothing('no_outcome', 'not_an_outcome', 'The report does not say what happened to the email.')
  }
}

function accepted(reply: Reply, stage: Stage | null): Classification {
  if (reply.drivingClass === null || reply.drivingClass === 2) return delivered(reply, stage)
  return nothing(
    'contradiction',
    'not_an_outcome',
    'The report says that the email was accepted, but its reply is a refusal.',
  )
}

/** The disposition that the reply implies. A 2yz reply means acceptance only at the end of the data. */
function impliedDisposition(reply: Reply, stage: Stage | null): Disposition | null {
  switch (reply.drivingClass) {
    case 2:
      return stage === null || stage === 'end_of_data' || stage === 'dsn' ? 'accepted' : null
    case 3:
      return null
    case 4:
      return 'temporary'
    case 5:
      return 'permanent'
    case null:
      return null
  }
}

function signingFailure(words: string) {
  if (/\b(?:no|missing|not found|without)\b.{0,24}\bkey\b|\bkey\b.{0,24}\b(?:missing|not found)/.test(words))
    return 'dkim_key_missing'
  if (
    /\b(?:invalid|unreadable|malformed|bad|cannot read)\b.{0,24}\bkey\b|\bkey\b.{0,24}\b(?:invalid|unreadable|malformed)/.test(
      words,
    )
  )
    return 'dkim_key_invalid'
  return /\bmismatch|\bdoes not match\b/.test(words) ? 'dkim_dns_mismatch' : 'dkim_signing_failed'
}
