import type { SchemaError } from '@posthorn/contract'
import { AppError, type FieldError } from '../errors.ts'

const fieldErrorsMax = 100
const segmentLengthMax = 100

/** The refusal of a request whose form is right and whose content is not. */
export function validationFailed(errors: readonly FieldError[]): AppError {
  const detail =
    errors.length === 1
      ? `${errors[0]?.path || 'The body'}: ${errors[0]?.message}.`
      : 'Correct the fields that are named in errors, then send the request again.'
  return new AppError('validation_failed', detail, errors.slice(0, fieldErrorsMax))
}

/** What zod found, with JSON pointers. `at` is where the checked value itself stands. */
export function fieldErrors(error: SchemaError, at: readonly PropertyKey[] = []): FieldError[] {
  return error.issues.flatMap(issue => {
    const path = [...at, ...issue.path]
    if (issue.code !== 'unrecognized_keys') return [{ path: jsonPointer(path), message: messageOf(issue) }]
    return issue.keys.map(key => ({ path: jsonPointer([...path, key]), message: 'is not a known field' }))
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
      segment => `/${String(segment).slice(0, segmentLengthMax).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    )
    .join('')
}

function messageOf(issue: SchemaError['issues'][number]): string {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  if (issue.code !== 'invalid_type') return issue.message
  return issue.message.endsWith('received undefined') ? 'is required' : `must be of type ${issue.expected}`
}
