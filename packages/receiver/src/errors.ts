/** Every code an error of this package can carry. */
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

/** The base of all errors of this package: a closed `code`, and the HTTP `status` it should become. */
export class WebhookError extends Error {
  override readonly name: string = 'WebhookError'
  readonly code: WebhookErrorCode
  readonly status: number = 500
  /** What to look at next, where that is known; for your log, never for the answer. */
  declare readonly hint?: string

  constructor(code: WebhookErrorCode, hint?: string) {
    // The codes read as English, and every byte of text travels into every bundle.
    const message = code.replaceAll('_', ' ')
    super(hint ? `${message}: ${hint}` : message)
    this.code = code
    if (hint) this.hint = hint
  }
}

/** The request is not proven to come from Posthorn: answer 401 and do nothing. */
export class WebhookVerificationError extends WebhookError {
  override readonly name: string = 'WebhookVerificationError'
  override readonly status: number = 401
}

/** The signature is right, the body is not usable: answer 400, or 413 when it is too large. */
export class WebhookPayloadError extends WebhookError {
  override readonly name: string = 'WebhookPayloadError'
  override readonly status: number = this.code === 'payload_too_large' ? 413 : 400
}

/** A fault in the program or its configuration, whoever sent the request: answer 500 and be loud. */
export class WebhookUsageError extends WebhookError {
  override readonly name: string = 'WebhookUsageError'
}
