import { AppError } from '../errors.ts'
import { jsonPointer, validationFailed } from './field-errors.ts'
import type { Decided } from './parse-outcomes.ts'
import type { Report } from './read-report.ts'

/** The error for a report in which one item names an account that does not exist. A single object has no position. */
export function unknownAccountAt(index: number, isList: boolean): AppError {
  const path = jsonPointer(isList ? [index, 'account_id'] : ['account_id'])
  return validationFailed([{ path, message: 'names an account that does not exist' }])
}

/** Replaces the positions among the outcomes in an error's paths by positions in the report. */
export function withPlacesInReport(
  error: AppError,
  { isList }: Pick<Report, 'isList'>,
  { places }: Pick<Decided, 'places'>,
): AppError {
  const inReport = (index: string): string => (isList ? `/${places[Number(index)] ?? index}` : '')
  const errors = error.errors.map(({ path, message }) => ({
    path: path.replace(/^\/(\d+)(?=\/|$)/, (_, index: string) => inReport(index)),
    message,
  }))
  return new AppError(error.code, error.message, errors)
}
