import type { BounceCategory } from './bounce-category.ts'
import type { EnhancedCode } from './enhanced-code.ts'
import type { FailureName } from './failure.ts'

/** The meaning of an enhanced status code after the mail system has given up. */
export interface CodeMeaning {
  /** As class 5: a bounce; or the text decides; or a failure, whatever the text says. */
  readonly permanent:
    | { readonly bounce: BounceCategory }
    | { readonly textDecides: true; readonly otherwise: FailureName }
    | { readonly failure: FailureName }
  /** As class 4: a temporary condition that lasted too long. */
  readonly gaveUp: FailureName
}

/** The meaning of a code. An unregistered detail has the meaning of its subject. Null beyond subject 7. */
export function meaningOf(code: EnhancedCode): CodeMeaning | null {
  const { subject, detail } = code
  return table[`${subject}.${detail}`] ?? table[`${subject}.0`] ?? null
}

export function isRegistered(code: EnhancedCode): boolean {
  return `${code.subject}.${code.detail}` in table
}

const unspecified = 'unspecified_infrastructure'
const refused = 'unspecified_policy'

/** All codes of the IANA registry (2024-12-06), without their class. */
const table: Readonly<Record<string, CodeMeaning>> = {
  '0.0': text(refused, 'delivery_expired'),

  // addresses
  '1.0': text(refused, 'delivery_expired'),
  '1.1': bounce('invalid_recipient', 'delivery_expired'),
  '1.2': bounce('invalid_domain', 'dns_failure'),
  '1.3': bounce('invalid_address', 'protocol_error'),
  '1.4': bounce('invalid_recipient', unspecified),
  '1.5': failure(unspecified),
  '1.6': bounce('recipient_moved', unspecified),
  '1.7': failure('sender_rejected'),
  '1.8': failure('sender_rejected'),
  '1.9': failure(unspecified),
  '1.10': bounce('domain_not_accepting_mail', 'dns_failure'),

  // mailboxes
  '2.0': text(refused, 'delivery_expired'),
  '2.1': bounce('mailbox_disabled', 'delivery_expired'),
  '2.2': failure('mailbox_full'),
  '2.3': failure('message_too_large'),
  '2.4': failure('mailing_list_error'),

  // mail systems
  '3.0': text('remote_server_error', 'remote_server_error'),
  '3.1': failure('remote_system_full'),
  '3.2': failure('remote_not_accepting_mail'),
  '3.3': failure('feature_unsupported'),
  '3.4': failure('message_too_large'),
  '3.5': failure('remote_misconfigured'),
  '3.6': failure(unspecified),

  // network and routing
  '4.0': failure('network_error'),
  '4.1': text('connection_failed', 'connection_failed'),
  '4.2': failure('connection_lost'),
  '4.3': failure('dns_failure'),
  // a bounce requires proof from DNS, which is checked before this table
  '4.4': failure('dns_failure'),
  '4.5': failure('remote_server_error'),
  '4.6': failure('routing_loop'),
  '4.7': failure('delivery_expired'),

  // protocol
  '5.0': text('protocol_error', 'protocol_error'),
  '5.1': failure('protocol_error'),
  '5.2': failure('protocol_error'),
  '5.3': failure('too_many_recipients'),
  '5.4': text('protocol_error', 'protocol_error'),
  '5.5': failure('protocol_error'),
  '5.6': failure('relay_auth_failed'),

  // content
  '6.0': failure('content_rejected'),
  '6.1': failure('content_rejected'),
  '6.2': failure('content_rejected'),
  '6.3': failure('content_rejected'),
  '6.4': failure('content_rejected'),
  '6.5': failure('content_rejected'),
  '6.6': failure('protocol_error'),
  '6.7': failure('smtputf8_unsupported'),
  '6.8': failure('smtputf8_unsupported'),
  '6.9': failure('smtputf8_unsupported'),
  '6.10': failure('smtputf8_unsupported'),

  // security and policy
  '7.0': failure(refused),
  '7.1': text('access_denied', 'access_denied'),
  '7.2': failure('mailing_list_refused'),
  '7.3': failure(refused),
  '7.4': failure('feature_unsupported'),
  '7.5': failure(refused),
  '7.6': failure(refused),
  '7.7': failure('content_rejected'),
  '7.8': failure('relay_auth_failed'),
  '7.9': failure('relay_auth_failed'),
  '7.10': failure('tls_required'),
  '7.11': failure('relay_auth_failed'),
  '7.12': failure('relay_auth_failed'),
  '7.13': failure('relay_auth_failed'),
  '7.14': failure('relay_auth_failed'),
  '7.15': failure(refused),
  '7.16': failure('message_too_large'),
  '7.17': bounce('recipient_changed', refused),
  '7.18': bounce('recipient_changed', refused),
  '7.19': failure(unspecified),
  '7.20': failure('authentication_failed'),
  '7.21': failure('authentication_failed'),
  '7.22': failure('authentication_failed'),
  '7.23': failure('authentication_failed'),
  '7.24': failure('authentication_failed'),
  '7.25': failure('authentication_failed'),
  '7.26': failure('authentication_failed'),
  '7.27': failure('sender_rejected'),
  '7.28': failure('rate_limited'),
  '7.29': failure('authentication_failed'),
  '7.30': failure('tls_required'),
}

function bounce(category: BounceCategory, gaveUp: FailureName): CodeMeaning {
  return { permanent: { bounce: category }, gaveUp }
}

function text(otherwise: FailureName, gaveUp: FailureName): CodeMeaning {
  return { permanent: { textDecides: true, otherwise }, gaveUp }
}

function failure(name: FailureName): CodeMeaning {
  return { permanent: { failure: name }, gaveUp: name }
}
