import { AppError } from '../errors.ts'

/** The answer for a delivery that never was, was dropped by retention, or belongs to another account. */
export function deliveryNotFound(): AppError {
  return new AppError('not_found', 'There is no such delivery. Deliveries are kept as long as their events.')
}
