import { WebhookError } from './errors.ts'

/** The dedupe store failed. Answer 503, so that Posthorn sends the event again. */
export class WebhookStoreError extends WebhookError {
  override readonly name: string = 'WebhookStoreError'
  override readonly status: number = 503
  /** The error that the client of the store threw. */
  override readonly cause: unknown

  constructor(cause: unknown, hint?: string) {
    super('store_unavailable', hint)
    this.cause = cause
  }
}
