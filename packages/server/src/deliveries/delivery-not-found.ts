import { AppError } from '../errors.ts'

/** The same error for a delivery that does not exist, that retention deleted, or that belongs to another account. */
export function deliveryNotFound(): AppError {
  return new AppError(
    'not_found',
    'This delivery does not exist. Posthorn deletes deliveries after the retention period.',
  )
}
