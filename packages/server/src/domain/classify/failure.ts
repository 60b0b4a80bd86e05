/** The reasons why an email failed although the address may be good. */
export type FailureName = keyof typeof failures

export interface Failure {
  readonly category: 'infrastructure' | 'policy' | 'signing'
  readonly reason: string
  /** Whether the same email may be delivered later. */
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
  connection_failed: [infrastructure, true, 'The connection to the receiving server failed.'],
  connection_timeout: [infrastructure, true, 'The receiving server did not answer in time.'],
  connection_lost: [infrastructure, true, 'The connection to the receiving server was lost.'],
  tls_failed: [infrastructure, true, 'The encrypted connection to the receiving server failed.'],
  network_error: [infrastructure, true, 'A network or routing error prevented the delivery.'],
  routing_loop: [infrastructure, false, 'The email was caught in a loop between mail servers.'],
  remote_server_error: [infrastructure, true, 'The receiving server had an internal error.'],
  remote_system_full: [infrastructure, true, 'The receiving server is out of disk space.'],
  remote_not_accepting_mail: [infrastructure, false, 'The receiving server does not accept mail.'],
  remote_misconfigured: [infrastructure, true, 'The receiving server is misconfigured.'],
  mailbox_full: [infrastructure, true, 'The mailbox is full.'],
  mailing_list_error: [infrastructure, false, 'The mailing list at the address could not be expanded.'],
  forward_failed: [
    infrastructure,
    false,
    'The mail was forwarded to another address, which cannot receive mail.',
  ],
  protocol_error: [infrastructure, false, 'A protocol error occurred between the mail servers.'],
  feature_unsupported: [infrastructure, false, 'The receiving server lacks a feature that the email needs.'],
  smtputf8_unsupported: [
    infrastructure,
    false,
    'A mail server does not support addresses or headers beyond ASCII.',
  ],
  delivery_expired: [infrastructure, true, 'The mail system gave up before it could deliver the email.'],
  relay_auth_failed: [infrastructure, true, 'The mail relay refused the login.'],
  internal_error: [infrastructure, true, 'The sending system had an internal error.'],
  unspecified_infrastructure: [infrastructure, true, 'An error occurred in a mail system or in the network.'],
  sender_rejected: [policy, false, 'The receiving server refuses the sender.'],
  authentication_failed: [policy, true, 'The receiving server could not authenticate the sender.'],
  ip_blocked: [policy, true, 'The receiving server refuses mail from the sending IP address.'],
  reputation_blocked: [policy, true, 'The receiving server refuses the sender because of its reputation.'],
  spam_rejected: [policy, false, 'The receiving server classified the email as spam.'],
  virus_detected: [policy, false, 'The receiving server found malware in the email.'],
  content_rejected: [policy, false, 'The receiving server refuses the content of the email.'],
  message_too_large: [policy, false, 'The email is too large for the receiving server.'],
  too_many_recipients: [policy, true, 'The email had too many recipients.'],
  rate_limited: [policy, true, 'Too many emails were sent in a short time.'],
  relay_denied: [policy, false, 'The receiving server does not relay mail for this address.'],
  access_denied: [policy, false, 'The receiving server does not allow this email to this address.'],
  tls_required: [policy, false, 'The receiving server requires an encrypted connection.'],
  mailing_list_refused: [policy, false, 'The mailing list at the address refuses the sender.'],
  recipient_suppressed: [policy, false, 'The address is on the suppression list; nothing was sent.'],
  cancelled: [policy, false, 'The email was cancelled before it was delivered.'],
  unspecified_policy: [policy, false, 'A rule of the receiving or the sending system refused the email.'],
  dkim_key_missing: [signing, true, 'There is no DKIM key to sign the email with.'],
  dkim_key_invalid: [signing, true, 'The DKIM key cannot be used.'],
  dkim_dns_mismatch: [signing, true, 'The DKIM key does not match the one published in DNS.'],
  dkim_signing_failed: [signing, true, 'The email could not be signed with DKIM and was not sent.'],
} as const satisfies Record<string, readonly [Failure['category'], boolean, string]>
