import { sendingDomainsOf } from '../domain/endpoint-filter.ts'
import { AppError } from '../errors.ts'

/** Returns the sending domains of a filter in the form to store. @throws AppError `validation_failed` */
export function allowedDomains(entered: readonly string[]): readonly string[] {
  const domains = sendingDomainsOf(entered)
  if (!('message' in domains)) return domains
  const { index, message } = domains
  const path = `/sending_domains/${index}`
  throw new AppError('validation_failed', `${path} ${message}`, [{ path, message }])
}
