/** The codes of all errors in this package. */
export type WebhookErrorCode =
  | 'header_missing'
  | 'header_malformed'
  | 'header_ambiguous'
  | 'timestamp_missing'
  | 'timestamp_malformed'
  | 'signature_missing'
  | 'signature_mismatch'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'payload_too_large'
  | 'payload_not_json'
  | 'payload_not_event'
  | 'event_changed'
  | 'secret_missing'
  | 'secret_empty'
  | 'secret_whitespace'
  | 'secret_too_short'
  | 'secret_wrong_kind'
  | 'secrets_too_many'
  | 'tolerance_invalid'
  | 'option_invalid'
  | 'body_missing'
  | 'body_already_parsed'
  | 'body_already_consumed'
  | 'crypto_unavailable'
  | 'store_unavailable'

/** The base class of all errors in this package, with a `code` and the HTTP `status` to answer with. */
export class WebhookError extends Error {
  override readonly name: string = 'WebhookError'
  readonly code: WebhookErrorCode
  readonly status: number = 500
  /** What to check next, if known. Write it to your log, never into the response. */
  declare readonly hint?: string

  constructor(code: WebhookErrorCode, hint?: string) {
    // The codes are readable English, and separate messages would make every bundle larger.
    const message = code.replaceAll('_', ' ')
    super(hint ? `${message}: ${hint}` : message)
    this.code = code
    if (hint) this.hint = hint
  }
}

/** The request may not come from Posthorn. Answer 401 and do not process it. */
export class WebhookVerificationError extends WebhookError {
  override readonly name: string = 'WebhookVerificationError'
  override readonly status: number = 401
}

/** The body cannot be used. Answer 400, or 413 if it is too large. */
export class WebhookPayloadError extends WebhookError {
  override readonly name: string = 'WebhookPayloadError'
  override readonly status: number = this.code === 'payload_too_large' ? 413 : 400
}

/** A mistake in your program or its configuration. Answer 500 and log it. */
export class WebhookUsageError extends WebhookError {
  override readonly name: string = 'WebhookUsageError'
}
