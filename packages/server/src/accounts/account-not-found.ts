import { AppError } from '../errors.ts'

/** The answer for an account that never was and for one that was deleted. */
export function accountNotFound(): AppError {
  return new AppError('not_found', 'There is no such account. GET /v1/accounts lists those that exist.')
}
