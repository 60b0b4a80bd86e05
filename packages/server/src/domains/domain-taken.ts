import { AppError } from '../errors.ts'

/** Whether the unique index on verified domains rejected the statement. */
export function isDomainTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'sending_domain_verified'
}

export function domainTaken(): AppError {
  return new AppError(
    'domain_taken',
    'Another account of this installation has verified this domain and must delete it first. Ask the operator for help.',
  )
}
