import type { DeliveryState } from '@posthorn/contract'

/** One thing that was found. */
export interface Match {
  /** Where it is looked at. */
  readonly href: string
  readonly title: string
  /** What tells it from others: an id, a host. */
  readonly detail: string
  readonly state?: DeliveryState
  readonly reason?: string
  /** RFC 3339. */
  readonly at?: string
  /** Opens the list with this recipient kept in memory, for an address must not stand in one. */
  readonly recipient?: string
}
