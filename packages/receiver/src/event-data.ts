/** An enumeration that may get new values. Treat an unknown value like its category. */
type Open<T extends string> = T | (string & Record<never, never>)

/** The fields that all event types share. Ignore fields that are not listed here. */
export interface EmailEventData {
  email_id: string
  /** The recipients, at least one. */
  to: string[]
  /** When the outcome happened (RFC 3339, UTC). */
  occurred_at: string
  message_id?: string
  from?: string
  subject?: string
  tags?: Record<string, string>
  metadata?: Record<string, string | number | boolean | null>
  sent_at?: string
}

/** The reply of a mail server. */
export interface SmtpResponse {
  code: number | null
  enhanced_code: string | null
  message: string
  command?: string
}

export interface RemoteMta {
  name: string
  ip?: string
}

/** The recipient's mail server accepted the email. A bounce may still follow. */
export interface EmailDeliveredData extends EmailEventData {
  remote_mta?: RemoteMta
  smtp_response?: SmtpResponse
  attempts?: number
  tls?: { version: string; cipher: string } | null
}

/** A confirmed permanent failure of the recipient's address. */
export interface EmailBouncedData extends EmailEventData {
  recipient: string
  bounce: {
    type: 'permanent'
    category: Open<
      | 'invalid_recipient'
      | 'invalid_address'
      | 'invalid_domain'
      | 'domain_not_accepting_mail'
      | 'mailbox_disabled'
      | 'recipient_moved'
      | 'recipient_changed'
    >
    message: string
    timing: 'synchronous' | 'asynchronous'
    evidence: Open<'enhanced_status_code' | 'reply_text' | 'dns' | 'reported'>
    final_recipient?: string
  }
  smtp_response?: SmtpResponse
  remote_mta?: RemoteMta
  reporting_mta?: string
  attempts?: number
  /** One sentence that says what decided this. Missing if the reporter decided. */
  decided_by?: string
}

/** The email did not arrive because of an infrastructure, policy or signing failure. */
export interface EmailFailedData extends EmailEventData {
  scope: 'recipient' | 'message'
  failure: {
    category: 'infrastructure' | 'policy' | 'signing'
    reason: string
    stage?: string
    message: string
    retryable: boolean
    expired: boolean
    blocklist?: string
    final_recipient?: string
    suppression?: { reason: Open<'bounced' | 'complaint' | 'unsubscribed' | 'manual'>; since: string }
  }
  smtp_response?: SmtpResponse
  remote_mta?: RemoteMta
  reporting_mta?: string
  attempts?: number
  /** One sentence that says what decided this. Missing if the reporter decided. */
  decided_by?: string
}

/** The recipient unsubscribed or reported the email as spam. */
export interface EmailUnsubscribedData extends EmailEventData {
  recipient: string
  unsubscribe: {
    source: Open<'one_click' | 'link' | 'mailto' | 'complaint' | 'preference_center' | 'manual' | 'api'>
    scope: { type: Open<'all' | 'list' | 'topic'>; id?: string }
    feedback_type?: string
    user_agent?: string
  }
}

/** The recipient reported the email as spam. Only for endpoints that name `email.complained`. */
export interface EmailComplainedData extends EmailEventData {
  recipient: string
  complaint: { feedback_type?: string; user_agent?: string }
}

/** The recipient's first deferral: the mail server tries again. Only for endpoints that name `email.deferred`. */
export interface EmailDeferredData extends EmailEventData {
  recipient: string
  deferral: { category: 'infrastructure' | 'policy' | 'signing'; reason: string; message: string }
  smtp_response?: SmtpResponse
  remote_mta?: RemoteMta
  reporting_mta?: string
  attempts?: number
}

/** The email was not sent, because the address is suppressed. Only for endpoints that name `email.suppressed`. */
export interface EmailSuppressedData extends EmailEventData {
  suppression?: { reason: Open<'bounced' | 'complaint' | 'unsubscribed' | 'manual'>; since: string }
}
