import { ApiProblem } from '../api/problem.ts'

/** The service's message about one field of a form, such as `/name`. */
export function fieldError(error: Error | null, path: string): string | null {
  return error instanceof ApiProblem ? error.field(path) : null
}

/** The error, unless the form's fields show it. */
export function otherError(error: Error | null, fields: readonly string[]): Error | null {
  const isTold = fields.some(field => fieldError(error, field) !== null)
  return isTold ? null : error
}
