import { plainMessage, type Schema, type SchemaError } from '@posthorn/contract'
import { AppError, type FieldError } from '../errors.ts'

/** So many are named in one answer. */
export const fieldErrorsMax = 100
const segmentLengthMax = 100

/** The refusal of a request whose form is right and whose content is not. */
export function validationFailed(errors: readonly FieldError[]): AppError {
  const detail =
    errors.length === 1
      ? `${errors[0]?.path || 'The body'}: ${errors[0]?.message}.`
      : 'Correct the fields that are named in errors, then send the request again.'
  return new AppError('validation_failed', detail, errors.slice(0, fieldErrorsMax))
}

/** A value that fits its schema, or what is wrong with it. */
export type Checked<Output> = { readonly data: Output } | { readonly errors: FieldError[] }

/**
 * Checks a value that somebody sent.
 * @param at where the value stands in the request, for the paths of the errors
 */
export function check<Output>(
  schema: Schema<Output>,
  value: unknown,
  at: readonly PropertyKey[] = [],
): Checked<Output> {
  const checked = schema.safeParse(value, { error: plainMessage })
  return checked.success ? { data: checked.data } : { errors: fieldErrors(checked.error, at) }
}

/** What zod found, with JSON pointers; no more than an answer names. */
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
 * A path as RFC 6901 writes it.
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
