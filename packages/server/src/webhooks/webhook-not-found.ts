import { AppError } from '../errors.ts'

/** The same error for an endpoint that does not exist, was deleted, or belongs to another account. */
export function webhookNotFound(): AppError {
  return new AppError(
    'not_found',
    'This webhook endpoint does not exist. GET /v1/webhooks lists all endpoints.',
  )
}
