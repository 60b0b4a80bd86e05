/** Why an email failed, without being the address's fault. */
export type FailureName = keyof typeof failures

export interface Failure {
  readonly category: 'infrastructure' | 'policy' | 'signing'
  readonly reason: string
  /** Whether the same message to the same address may get through later. */
  readonly retryable: boolean
  readonly message: string
}

export function failureNamed(name: FailureName): Failure {
  const [category, retryable, message] = failures[name]
  return { category, reason: name.startsWith('unspecified') ? 'unspecified' : name, retryable, message }
}

const infrastructure = 'infrastructure'
const policy = 'policy'
const signing = 'signing'

const failures = {
  dns_failure: [infrastructure, true, 'A host on the way to the address could not be found in DNS.'],
  connection_failed: [infrastructure, true, 'No connection to the receiving server could be made.'],
  connection_timeout: [infrastructure, true, 'The receiving server did not answer in time.'],
  connection_lost: [infrastructure, true, 'The connection to the receiving server broke.'],
  tls_failed: [infrastructure, true, 'No encrypted connection to the receiving server could be made.'],
  network_error: [infrastructure, true, 'A network or routing fault kept the email from its destination.'],
  routing_loop: [infrastructure, false, 'The email ran in a loop between mail servers.'],
  remote_server_error: [infrastructure, true, 'The receiving server had a fault of its own.'],
  remote_system_full: [infrastructure, true, 'The receiving server has no space left.'],
  remote_not_accepting_mail: [infrastructure, false, 'The receiving server accepts no mail.'],
  remote_misconfigured: [infrastructure, true, 'The receiving server is set up wrongly.'],
  mailbox_full: [infrastructure, true, 'The mailbox is full.'],
  mailing_list_error: [infrastructure, false, 'The mailing list at the address could not be expanded.'],
  forward_failed: [
    infrastructure,
    false,
    'The mail was forwarded to another address, which cannot receive mail.',
  ],
  protocol_error: [infrastructure, false, 'The servers did not understand each other.'],
  feature_unsupported: [infrastructure, false, 'The receiving server lacks a feature that the email needs.'],
  smtputf8_unsupported: [
    infrastructure,
    false,
    'A server on the way cannot handle addresses or headers beyond ASCII.',
  ],
  delivery_expired: [infrastructure, true, 'The email could not be delivered before retrying was given up.'],
  relay_auth_failed: [infrastructure, true, 'The server that relays the mail refused the login.'],
  internal_error: [infrastructure, true, 'The sending side had a fault of its own.'],
  unspecified_infrastructure: [infrastructure, true, 'A mail system or the network had a fault.'],
  sender_rejected: [policy, false, 'The receiving server refuses the sender.'],
  authentication_failed: [policy, true, 'The receiving server could not authenticate the sender.'],
  ip_blocked: [policy, true, 'The receiving server refuses mail from the sending IP address.'],
  reputation_blocked: [policy, true, 'The receiving server distrusts the sender for its reputation.'],
  spam_rejected: [policy, false, 'The receiving server took the email for spam.'],
  virus_detected: [policy, false, 'The receiving server found malware in the email.'],
  content_rejected: [policy, false, 'The receiving server refuses the content of the email.'],
  message_too_large: [policy, false, 'The email is too large for the receiving server.'],
  too_many_recipients: [policy, true, 'The email had too many recipients at once.'],
  rate_limited: [policy, true, 'Too much mail was sent in too short a time.'],
  relay_denied: [policy, false, 'The receiving server does not relay mail for this address.'],
  access_denied: [policy, false, 'The receiving server does not allow this email to this address.'],
  tls_required: [policy, false, 'The email may only be sent encrypted.'],
  mailing_list_refused: [policy, false, 'The mailing list at the address refuses the sender.'],
  recipient_suppressed: [policy, false, 'The address is on the suppression list; nothing was sent.'],
  cancelled: [policy, false, 'The email was cancelled before it was delivered.'],
  unspecified_policy: [
    policy,
    false,
    'The email was refused by a rule of the receiving or the sending side.',
  ],
  dkim_key_missing: [signing, true, 'There is no DKIM key to sign the email with.'],
  dkim_key_invalid: [signing, true, 'The DKIM key cannot be used.'],
  dkim_dns_mismatch: [signing, true, 'The DKIM key does not match the one published in DNS.'],
  dkim_signing_failed: [signing, true, 'The email could not be signed with DKIM and was not sent.'],
} as const satisfies Record<string, readonly [Failure['category'], boolean, string]>
