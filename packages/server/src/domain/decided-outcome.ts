import { normalEmailAddress } from './email-address.ts'
import type { DefaultEventType, EventType } from './event-type.ts'
import { sentenceFor } from './outcome-sentence.ts'

/** An outcome that is ready to become an event. Its data is complete and in the order in which we send it. */
export interface DecidedOutcome {
  /** UUID. */
  accountId: string
  type: EventType
  data: EventData
  /** The reporter's id, or null. A repeated id makes no second event within the account. */
  outcomeId: string | null
  /** Set if we classified it. True: it counts only if the recipient's email has no final outcome yet. */
  isOncePerRecipient?: boolean
  /** It is about an address that the mail was forwarded to, so it is not the recipient's final outcome. */
  isForwarded?: boolean
  /** The address of an erased recipient, recognized by an HMAC. It must not be stored. */
  erasedAddress?: string
  /** The trace that the report, or the email, belongs to. */
  traceparent?: string | undefined
}

/** The complete data of an event. */
export interface EventData {
  email_id: string
  to: string[]
  occurred_at: string
  [field: string]: unknown
}

/** The data of an outcome as reported, already validated against the event catalogue. */
export interface ReportedData {
  email_id: string
  to: string[]
  occurred_at?: string | undefined
  [field: string]: unknown
}

/**
 * Completes reported data: adds default fields, puts domains in lower case, and converts times to UTC with milliseconds.
 *
 * @param happenedAt the time of the outcome if the data does not contain one
 * @example
 * fillOutcome('email.delivered', { email_id: 'a1', to: ['ann@example.org'] }, '2026-11-21T04:00:01.120Z')
 */
export function fillOutcome(
  type: DefaultEventType | 'email.deferred',
  reported: ReportedData,
  happenedAt: string,
): EventData {
  const to = reported.to.map(normalEmailAddress)
  const isAboutOne = type !== 'email.delivered' && type !== 'email.failed'
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

function particulars(
  type: DefaultEventType | 'email.deferred',
  reported: ReportedData,
  to: readonly string[],
): object | null {
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
    case 'email.deferred':
      return { deferral: reported['deferral'] }
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
const replyFields = ['remote_mta', 'reporting_mta', 'attempts', 'tls', 'decided_by']

type Given = Readonly<Record<string, unknown>>

/** An optional part. The validation has made sure that it is an object. */
function given(part: unknown): Given {
  return typeof part === 'object' && part !== null ? { ...part } : {}
}

/** Copies these fields in this order, without missing ones and empty objects. */
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

/** The format of `toISOString`. The validation has made sure that the day exists. */
const inUtcAlready = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
