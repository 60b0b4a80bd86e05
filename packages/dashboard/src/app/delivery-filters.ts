import { textFilters } from './text-filters.ts'

/** The filters of a list of deliveries, as they appear in the URL. A recipient is personal data and never does. */
export interface DeliveryFilters {
  /** States, separated by commas. */
  readonly state?: string
  readonly type?: string
  /** Error codes of attempts. */
  readonly error?: string
  /** The id of the event's email. */
  readonly email?: string
  /** An endpoint's id. */
  readonly endpoint?: string
  /** RFC 3339, inclusive. */
  readonly since?: string
  /** RFC 3339, exclusive. */
  readonly until?: string
}

export function deliveryFilters(search: Record<string, unknown>): DeliveryFilters {
  return textFilters(['state', 'type', 'error', 'email', 'endpoint', 'since', 'until'], search)
}
