import { plainMessage, type Schema, type SchemaError } from '@posthorn/contract'
import { AppError, type FieldError } from '../errors.ts'

/** The limit of errors in one response. */
export const fieldErrorsMax = 100
const segmentLengthMax = 100

/** The error for a request with invalid fields or parameters. */
export function validationFailed(errors: readonly FieldError[]): AppError {
  const detail =
    errors.length === 1
      ? `${errors[0]?.path || 'The body'}: ${errors[0]?.message}.`
      : 'Correct the fields that errors lists, then send the request again.'
  return new AppError('validation_failed', detail, errors.slice(0, fieldErrorsMax))
}

/** A valid value, or what is wrong with it. */
export type Checked<Output> = { readonly data: Output } | { readonly errors: FieldError[] }

/**
 * Checks a value from a request.
 * @param at the position of the value in the request, for the paths of errors
 */
export function check<Output>(
  schema: Schema<Output>,
  value: unknown,
  at: readonly PropertyKey[] = [],
): Checked<Output> {
  const checked = schema.safeParse(value, { error: plainMessage })
  return checked.success ? { data: checked.data } : { errors: fieldErrors(checked.error, at) }
}

/** Converts zod's issues, up to the limit. */
function fieldErrors(error: SchemaError, at: readonly PropertyKey[]): FieldError[] {
  return error.issues.slice(0, fieldErrorsMax).flatMap(issue => {
    const path = [...at, ...issue.path]
    if (issue.code !== 'unrecognized_keys') return [{ path: jsonPointer(path), message: issue.message }]
    return issue.keys
      .slice(0, fieldErrorsMax)
      .map(key => ({ path: jsonPointer([...path, key]), message: issue.message }))
  })
}

/**
 * Formats a path as a JSON pointer (RFC 6901).
 * @example
 * jsonPointer([3, 'data', 'to', 0]) // '/3/data/to/0'
 */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map(
      segment =>
        `/${String(segment).slice(0, segmentLengthMax).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`,
    )
    .join('')
}
