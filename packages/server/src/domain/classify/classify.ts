import type { Classification } from './classification.ts'
import { delivered, failed, nothing, unsubscribed } from './classification.ts'
import { classifyRefusal } from './classify-refusal.ts'
import type { Disposition, RawOutcome } from './raw-outcome.ts'
import { type Reply, readReply } from './read-reply.ts'
import type { Stage } from './stage.ts'

/**
 * Decides what a mail system's report means. The default is *not* bounced: `email.bounced` needs proof that the
 * recipient's address is bad for good, and whatever else ends an email is `email.failed`.
 *
 * What the reporter knows of itself (it gave up, it has a suppression list) goes before what a server said; then
 * come success, and what is still being retried; a refusal is judged by `classifyRefusal`.
 *
 * @example
 * classify({ reply: { text: '550 5.1.1 <ann@example.org>: User unknown' } }).event // 'email.bounced'
 */
export function classify(raw: RawOutcome): Classification {
  const reply = readReply(raw.reply)
  const stage = raw.stage ?? reply.stage
  const said = [reply, stage] as const
  switch (raw.disposition ?? impliedDisposition(reply, stage)) {
    case 'suppressed':
      return failed('suppressed', 'recipient_suppressed', said)
    case 'cancelled':
      return failed('cancelled', 'cancelled', said)
    case 'signing_error':
      return failed('signing_error', signingFailure(reply.words), said)
    case 'complaint':
      return unsubscribed('complaint')
    case 'unsubscribe':
      return unsubscribed('api')
    case 'accepted':
      return accepted(reply, stage)
    case 'temporary':
      return nothing('temporary', 'temporary', 'The mail system still tries to deliver the email.')
    case 'expired':
      return classifyRefusal(raw, reply, stage, true)
    case 'permanent':
      return classifyRefusal(raw, reply, stage, false)
    case null:
      return nothing('no_outcome', 'not_an_outcome', 'The report does not say what became of the email.')
  }
}

function accepted(reply: Reply, stage: Stage | null): Classification {
  if (reply.drivingClass === null || reply.drivingClass === 2) return delivered(reply, stage)
  return nothing('contradiction', 'not_an_outcome', 'The report says accepted, its reply a refusal.')
}

/** A reply alone: only at the end of the data does a 2yz mean that the email was taken. */
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
