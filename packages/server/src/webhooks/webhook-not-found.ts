import { AppError } from '../errors.ts'

/** The answer for an endpoint that never was, was deleted, or belongs to another account. */
export function webhookNotFound(): AppError {
  return new AppError(
    'not_found',
    'There is no such webhook endpoint. GET /v1/webhooks lists those that exist.',
  )
}
