import { AppError } from '../errors.ts'

/** @param advice what to check, as a sentence */
export function wrongSignature(advice: string): AppError {
  return new AppError('unauthorized', `The signature of the report is missing or wrong. ${advice}`)
}

export function wrongTime(): AppError {
  return new AppError('unauthorized', 'The timestamp of the report is too far from the current time.')
}
