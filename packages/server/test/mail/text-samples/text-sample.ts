/** A mail without status fields, and what it says about ann@example.org. */
export interface TextSample {
  readonly form: string
  readonly subject: string
  readonly from?: string
  readonly text: string
  /** `none`: no event, because it is not a final result or not about a delivery. */
  readonly expect: 'email.bounced' | 'email.failed' | 'none'
  readonly reason?: string
}
