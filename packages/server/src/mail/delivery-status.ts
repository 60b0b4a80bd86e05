import { bareAddress } from './bare-address.ts'
import { type FieldGroup, readFieldGroups } from './field-groups.ts'

/** The status of one recipient in a delivery status notification (RFC 3464). */
export interface RecipientStatus {
  /** The final address. After forwarding it differs from the address that the mail was sent to. */
  readonly finalRecipient: string | null
  readonly originalRecipient: string | null
  /** `failed`, `delayed`, `delivered`, `relayed`, `expanded`, or another word. */
  readonly action: string | null
  /** An enhanced status code, such as `5.1.1`. */
  readonly status: string | null
  /** The explanation that some servers add to the status in parentheses. */
  readonly statusComment: string | null
  /** Unchanged, with its type: `smtp; 550 5.1.1 User unknown`. */
  readonly diagnosticCode: string | null
  readonly remoteMta: string | null
  readonly lastAttemptDate: string | null
}

export interface DeliveryStatus {
  readonly reportingMta: string | null
  readonly originalEnvelopeId: string | null
  readonly arrivalDate: string | null
  readonly recipients: readonly RecipientStatus[]
}

/** Reads the content of a `message/delivery-status` part. */
export function readDeliveryStatus(content: string): DeliveryStatus {
  const groups = readFieldGroups(content)
  const perMessage = groups.find(group => messageFields.some(name => group.has(name))) ?? new Map()
  const recipients = groups.filter(isAboutRecipient).map(recipientStatus)
  return {
    reportingMta: withoutType(perMessage.get('reporting-mta')),
    originalEnvelopeId: perMessage.get('original-envelope-id') ?? null,
    arrivalDate: perMessage.get('arrival-date') ?? null,
    recipients,
  }
}

const messageFields = ['reporting-mta', 'original-envelope-id', 'arrival-date', 'received-from-mta']

/** Some servers leave out the empty line before the first recipient, or the recipient's address. */
function isAboutRecipient(group: FieldGroup): boolean {
  const names = ['final-recipient', 'original-recipient', 'action', 'status', 'diagnostic-code']
  return (
    group.has('final-recipient') ||
    group.has('original-recipient') ||
    names.filter(name => group.has(name)).length >= 2
  )
}

function recipientStatus(group: FieldGroup): RecipientStatus {
  const [, status, comment] =
    /^\s*(\d\.\d{1,3}\.\d{1,3})(?:\s*\(([^()]{1,500})\))?/.exec(group.get('status') ?? '') ??
    // some servers write the whole reply instead of the code
    /^()([245]\d\d .{1,500})/.exec(group.get('status') ?? '') ??
    []
  return {
    finalRecipient: address(group.get('final-recipient')),
    originalRecipient: address(group.get('original-recipient')),
    action: /^[a-z-]{1,32}/.exec((group.get('action') ?? '').toLowerCase())?.[0] ?? null,
    status: status || null,
    statusComment: comment?.trim() ?? null,
    diagnosticCode: replyIn(group),
    remoteMta: withoutType(group.get('remote-mta')),
    lastAttemptDate: group.get('last-attempt-date') ?? null,
  }
}

/** The reply, or if it has no words, one that another field of the group quotes. */
function replyIn(group: FieldGroup): string | null {
  const own = group.get('diagnostic-code') || null
  if (own !== null && /[a-z\u0080-\uffff]{3}/i.test(own.replace(/^[\w-]{1,32};/, ''))) return own
  const others = [...group].flatMap(([name, value]) => (name.startsWith('x-') ? [value] : []))
  const quoted = others.flatMap(value => quotedReply.exec(value)?.[0] ?? [])
  return quoted.find(reply => /[a-z]{3}/i.test(reply)) ?? own
}

const quotedReply = /(?<![\w.-])[45]\d\d[ -](?:#?[45]\.\d{1,3}\.\d{1,3}[ -])?\S[^>]{0,500}/

/** `rfc822; Ann <ann@example.org>` → `ann@example.org` */
function address(value: string | undefined): string | null {
  return bareAddress(value?.replace(addressType, '') ?? '') || null
}

const addressType = /^\s*[\w./ -]{1,32};/

/** `dns; mx1.example.org (192.0.2.7)` → `mx1.example.org` */
function withoutType(value: string | undefined): string | null {
  const bare = value
    ?.replace(addressType, '')
    .replace(/\([^()]*\)\s*$/, '')
    .trim()
  return bare === undefined || bare === '' ? null : bare
}
