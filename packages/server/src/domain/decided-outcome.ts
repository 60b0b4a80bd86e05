import { normalEmailAddress } from './email-address.ts'
import type { EventType } from './event-type.ts'
import { sentenceFor } from './outcome-sentence.ts'

/** What became of an email, ready to become an event: its data is complete and in the order in which it is sent. */
export interface DecidedOutcome {
  /** UUID. */
  accountId: string
  type: EventType
  data: EventData
  /** What the reporter calls it, or null: the same one makes no second event within the account. */
  outcomeId: string | null
  /** Judged by us: it counts only while the recipient's email has not come to its end. */
  isOncePerRecipient?: boolean
  /** About an address that the mail was forwarded to: it does not decide what became of the recipient's email. */
  isForwarded?: boolean
  /** Of somebody who was erased: the address by whose HMAC they are still recognized. It is stored nowhere. */
  erasedAddress?: string
}

/** The data of an event, complete. */
export interface EventData {
  email_id: string
  to: string[]
  occurred_at: string
  [field: string]: unknown
}

/** The data of an outcome as a reporter gives it, already checked against the catalogue. */
export interface ReportedData {
  email_id: string
  to: string[]
  occurred_at?: string | undefined
  [field: string]: unknown
}

/**
 * Completes reported data: what the catalogue always has and what only repeats or labels is filled in, domains are
 * put in lower case, and times in UTC with milliseconds.
 *
 * @param happenedAt when it happened, for reports that do not say so in their data
 * @example
 * fillOutcome('email.delivered', { email_id: 'a1', to: ['ann@example.org'] }, '2026-11-21T04:00:01.120Z')
 */
export function fillOutcome(type: EventType, reported: ReportedData, happenedAt: string): EventData {
  const to = reported.to.map(normalEmailAddress)
  const isAboutOne = type === 'email.bounced' || type === 'email.unsubscribed'
  const data: EventData = {
    email_id: reported.email_id,
    to,
    ...(isAboutOne && { recipient: to[0] }),
    occurred_at: inUtc(reported.occurred_at ?? happenedAt),
  }
  copy(reported, describedFields, data)
  if (typeof reported.sent_at === 'string') data['sent_at'] = inUtc(reported.sent_at)
  Object.assign(data, particulars(type, reported, to))
  if (reported.smtp_response !== undefined) {
    data['smtp_response'] = { code: null, enhanced_code: null, ...given(reported.smtp_response) }
  }
  copy(reported, replyFields, data)
  return data
}

function particulars(type: EventType, reported: ReportedData, to: readonly string[]): object | null {
  switch (type) {
    case 'email.delivered':
      return null
    case 'email.bounced':
      return { bounce: bounce(given(reported.bounce)) }
    case 'email.failed':
      return {
        scope: reported.scope ?? (to.length === 1 ? 'recipient' : 'message'),
        failure: failure(given(reported.failure)),
      }
    case 'email.unsubscribed':
      return { unsubscribe: { source: 'api', scope: { type: 'all' }, ...given(reported.unsubscribe) } }
  }
}

function bounce(reported: Given): object {
  const { category = 'invalid_recipient', final_recipient: other, ...rest } = reported
  return {
    type: 'permanent',
    category,
    message: sentenceFor(category),
    timing: 'synchronous',
    evidence: 'reported',
    ...rest,
    ...(typeof other === 'string' && { final_recipient: normalEmailAddress(other) }),
  }
}

function failure(reported: Given): object {
  const { category = 'infrastructure', final_recipient: other, suppression, ...rest } = reported
  const { since, ...why } = given(suppression)
  return {
    category,
    reason: 'unspecified',
    message: sentenceFor(category),
    retryable: false,
    expired: false,
    ...rest,
    ...(typeof other === 'string' && { final_recipient: normalEmailAddress(other) }),
    ...(typeof since === 'string' && { suppression: { ...why, since: inUtc(since) } }),
  }
}

const describedFields = ['message_id', 'from', 'subject', 'tags', 'metadata']
const replyFields = ['remote_mta', 'reporting_mta', 'attempts', 'tls']

type Given = Readonly<Record<string, unknown>>

/** A part that the reporter may have left out; that it is an object otherwise, the catalogue has checked. */
function given(part: unknown): Given {
  return typeof part === 'object' && part !== null ? { ...part } : {}
}

/** These fields in this order; what is missing or an empty object stays away. */
function copy(reported: ReportedData, names: readonly string[], data: EventData): void {
  for (const name of names) {
    const value = reported[name]
    if (value !== undefined && !isEmptyObject(value)) data[name] = value
  }
}

function isEmptyObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  for (const name in value) if (Object.hasOwn(value, name)) return false
  return true
}

function inUtc(moment: string): string {
  return inUtcAlready.test(moment) ? moment : new Date(moment).toISOString()
}

/** What `toISOString` writes; that the day exists, the catalogue has checked. */
const inUtcAlready = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
