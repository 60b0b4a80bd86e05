import { createHash } from 'node:crypto'
import { attemptsMax, type PostfixRecord } from '@posthorn/contract'
import type { LogFormat, LogOutcome } from './log-outcome.ts'
import { cutText } from '../../domain/cut-text.ts'
import { returnPathToken } from '../../domain/sources/return-path.ts'

/** How to find the id of emails that Posthorn did not send. */
export interface ForeignNames {
  /** Set only by the operator, because an API key belongs to one account. */
  readonly accountId: string | undefined
  readonly by: 'message_id' | 'header'
}

/**
 * The record to report for an outcome in the log; null if Posthorn did not send the email and it has no id.
 *
 * @param line the unchanged line, so that it gets the same id if it is reported again after a restart
 */
export function toLogRecord(
  source: LogFormat['source'],
  outcome: LogOutcome,
  line: Uint8Array,
  foreign: ForeignNames | null,
): PostfixRecord | null {
  const { from, recipient, origTo, relay, attempts, atMs } = outcome
  const isOurs = from !== null && returnPathToken(from) !== null
  const name = isOurs || foreign === null ? null : nameOf(outcome, foreign)
  if ((!isOurs && name === null) || recipient === '') return null
  return {
    ...(source !== 'postfix' && { source }),
    line_id: createHash('sha256').update(line).update(`\0${recipient}`).digest('hex').slice(0, 32),
    ...(isOurs && { return_path: plain(from, 1_000) }),
    ...(name !== null && { email_id: name, account_id: foreign?.accountId }),
    ...(outcome.messageId !== null && { message_id: plain(outcome.messageId, 998) }),
    recipient: plain(recipient, 1_000),
    ...(origTo !== null && origTo !== '' && { original_recipient: plain(origTo, 1_000) }),
    disposition: outcome.disposition,
    ...(/^[245]\./.test(outcome.dsn) && { status: outcome.dsn }),
    reply: plain(outcome.reason, replyLengthMax),
    ...(relay !== null && { relay: plain(relay, 400) }),
    ...(outcome.isPerRecipient && { per_recipient: true }),
    attempts: Math.min(attempts, attemptsMax),
    occurred_at: new Date(atMs).toISOString(),
  }
}

/** Longer than any line that a log daemon accepts. */
const replyLengthMax = 4_096

/** JSON in a log may contain half of a surrogate pair. The service would refuse it, with all records next to it. */
function plain(text: string, lengthMax: number): string {
  return cutText(text.toWellFormed(), lengthMax)
}

/** Null if it is empty, too long, or has characters that are not allowed in an id. */
function nameOf({ messageId, header }: LogOutcome, { by }: ForeignNames): string | null {
  const name = by === 'header' ? header : messageId
  return name !== null && /^[\x21-\x7e]{1,128}$/.test(name) ? name : null
}
