import { AppError } from '../errors.ts'

/** The error for outcomes of an account that does not exist. */
export function unknownAccount(): AppError {
  return new AppError('validation_failed', 'account_id names an account that does not exist.', [
    { path: '/account_id', message: 'no such account' },
  ])
}
