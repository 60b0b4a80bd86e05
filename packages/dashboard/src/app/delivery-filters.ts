import { textFilters } from './text-filters.ts'

/** What narrows a list of deliveries, as it stands in the address. Recipients are personal and never stand there. */
export interface DeliveryFilters {
  /** States, separated by commas. */
  readonly state?: string
  readonly type?: string
  /** Codes of attempt errors. */
  readonly error?: string
  /** The id of the email that the event is about. */
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
