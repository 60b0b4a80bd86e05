import type { BounceCategory, FailureReason, OutcomeStats } from '@posthorn/contract'
import { countOf, formatCount } from '../format/numbers.ts'

/** Why an address bounced, by `bounce.category`. */
export const bounceWords: Readonly<Record<BounceCategory, string>> = {
  invalid_recipient: 'No such mailbox',
  invalid_address: 'Malformed address',
  invalid_domain: 'No such domain',
  domain_not_accepting_mail: 'Domain takes no mail',
  mailbox_disabled: 'Mailbox disabled',
  recipient_moved: 'Recipient moved',
  recipient_changed: 'Address has a new owner',
}

/** Why an email failed, by `failure.reason`. */
export const failureWords: Readonly<Record<FailureReason, string>> = {
  dns_failure: 'DNS lookup failed',
  connection_failed: 'Connection failed',
  connection_timeout: 'Connection timed out',
  connection_lost: 'Connection lost',
  tls_failed: 'Encryption (TLS) failed',
  network_error: 'Network error',
  routing_loop: 'Routing loop',
  remote_server_error: 'Error of the recipient’s server',
  remote_system_full: 'Recipient’s server is full',
  remote_not_accepting_mail: 'Recipient’s server takes no mail',
  remote_misconfigured: 'Recipient’s server is misconfigured',
  mailbox_full: 'Mailbox full',
  mailing_list_error: 'Mailing list error',
  forward_failed: 'Forwarding failed',
  protocol_error: 'SMTP protocol error',
  feature_unsupported: 'Feature not supported',
  smtputf8_unsupported: 'International address not supported',
  delivery_expired: 'Not delivered in time',
  relay_auth_failed: 'Sign-in at the relay failed',
  internal_error: 'Internal error',
  sender_rejected: 'Sender refused',
  authentication_failed: 'SPF, DKIM or DMARC failed',
  ip_blocked: 'IP address blocked',
  reputation_blocked: 'Blocked for reputation',
  spam_rejected: 'Refused as spam',
  virus_detected: 'Virus found',
  content_rejected: 'Content refused',
  message_too_large: 'Message too large',
  too_many_recipients: 'Too many recipients',
  rate_limited: 'Rate limit of the recipient’s server',
  relay_denied: 'Relay denied',
  access_denied: 'Access denied',
  tls_required: 'Encryption (TLS) required',
  mailing_list_refused: 'Mailing list refused it',
  recipient_suppressed: 'Address is suppressed',
  sending_suspended: 'Sending is suspended',
  quota_exceeded: 'Quota exceeded',
  cancelled: 'Cancelled',
  dkim_key_missing: 'DKIM key missing',
  dkim_key_invalid: 'DKIM key invalid',
  dkim_dns_mismatch: 'DKIM key differs from the DNS',
  dkim_signing_failed: 'DKIM signing failed',
  unspecified: 'No reason given',
}

/** A reason why emails did not arrive. */
export interface OutcomeReason {
  readonly type: 'email.bounced' | 'email.failed'
  /** As in the API. */
  readonly code: string
  readonly label: string
  readonly count: number
  /** How many had it in the period before; null: unknown. */
  readonly before: number | null
}

type ByReason = Pick<OutcomeStats, 'bounced_by_category' | 'failed_by_reason'>

/** Why emails bounced or failed, the most frequent first. */
export function outcomeReasons(now: ByReason, earlier: ByReason | null | undefined): OutcomeReason[] {
  const of = (
    type: OutcomeReason['type'],
    field: keyof ByReason,
    words: Readonly<Record<string, string>>,
  ): OutcomeReason[] =>
    Object.entries(now[field]).map(([code, count]) => ({
      type,
      code,
      label: wordsFor(code, words),
      count,
      before: earlier === null || earlier === undefined ? null : (earlier[field][code] ?? 0),
    }))
  return [
    ...of('email.bounced', 'bounced_by_category', bounceWords),
    ...of('email.failed', 'failed_by_reason', failureWords),
  ].toSorted((a, b) => b.count - a.count)
}

/** A sentence about these reasons. */
export function outcomeReasonsSummary(reasons: readonly OutcomeReason[], span: string): string {
  const [first, ...others] = reasons
  if (first === undefined) return `No email bounced or failed in ${span}.`
  const all = reasons.reduce((sum, { count }) => sum + count, 0)
  const most = others.length === 0 ? 'all of them' : `${formatCount(first.count)} of them`
  return `${countOf(all, 'email', 'emails')} bounced or failed in ${span}, ${most}: ${first.label}.`
}

/** A newer service may have codes that this page does not know. */
function wordsFor(code: string, words: Readonly<Record<string, string>>): string {
  return Object.hasOwn(words, code) ? (words[code] ?? code) : code
}
