import { AppError } from '../errors.ts'

/** The same error for an unknown account and for a deleted one. */
export function accountNotFound(): AppError {
  return new AppError('not_found', 'This account does not exist. GET /v1/accounts lists all accounts.')
}
