import { AppError } from '../errors.ts'

/** The same error for a domain that does not exist, was deleted, or belongs to another account. */
export function domainNotFound(): AppError {
  return new AppError(
    'not_found',
    'This sending domain does not exist. GET /v1/domains lists all sending domains.',
  )
}
