import { AppError } from '../errors.ts'

/** The answer for a sending domain that never was, was deleted, or belongs to another account. */
export function domainNotFound(): AppError {
  return new AppError('not_found', 'There is no such sending domain. GET /v1/domains lists those that exist.')
}
