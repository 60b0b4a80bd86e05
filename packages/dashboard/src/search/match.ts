import type { DeliveryState } from '@posthorn/contract'

/** One search result. */
export interface Match {
  /** The path of its page. */
  readonly href: string
  readonly title: string
  /** Its distinguishing name: an id or a host. */
  readonly detail: string
  readonly state?: DeliveryState
  readonly reason?: string
  /** RFC 3339. */
  readonly at?: string
  /** Opens the list filtered by this recipient, who must not be in a URL. */
  readonly recipient?: string
}
