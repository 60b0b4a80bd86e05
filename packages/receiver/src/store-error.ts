import { WebhookError } from './errors.ts'

/** The dedupe store did not answer: answer 503, so that the delivery comes again. */
export class WebhookStoreError extends WebhookError {
  override readonly name: string = 'WebhookStoreError'
  override readonly status: number = 503
  /** What the store's client threw. */
  override readonly cause: unknown

  constructor(cause: unknown) {
    super('store_unavailable')
    this.cause = cause
  }
}
