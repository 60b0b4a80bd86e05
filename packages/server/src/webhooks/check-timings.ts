import type { Ctx } from '../context.ts'
import { type EndpointTimings, timingsProblem } from '../domain/endpoint-timings.ts'
import { AppError } from '../errors.ts'

/** The fields of a request; undefined leaves the stored value. */
type NamedTimings = { readonly [Field in keyof EndpointTimings]?: number | null | undefined }

/** @throws AppError if a value is outside the operator's bounds */
export function checkTimings({ settings }: Pick<Ctx, 'settings'>, named: NamedTimings): void {
  const problem = timingsProblem(namedTimings(named), settings.timings)
  if (problem === null) return
  const { field, message } = problem
  throw new AppError('validation_failed', `\`${field}\` ${message}`, [{ path: `/${field}`, message }])
}

/** Only what the request names. */
export function namedTimings(named: NamedTimings): Partial<EndpointTimings> {
  const { retry_base_seconds: base, retry_cap_seconds: cap, attempt_timeout_seconds: timeout } = named
  return {
    ...(base !== undefined && { retry_base_seconds: base }),
    ...(cap !== undefined && { retry_cap_seconds: cap }),
    ...(timeout !== undefined && { attempt_timeout_seconds: timeout }),
  }
}
