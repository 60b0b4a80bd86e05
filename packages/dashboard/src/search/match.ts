import type { DeliveryState } from '@posthorn/contract'

/** What a result is, as the title of its group, in the order of the list. */
export const matchGroups = [
  'Found by id',
  'Emails',
  'Events',
  'Webhook deliveries',
  'Accounts',
  'Endpoints',
  'Pages',
  'Actions',
  'API keys',
  'Domains',
  'Addresses in suppressions and sent emails',
  'Search further',
] as const

export type MatchGroup = (typeof matchGroups)[number]

/** One search result. */
export interface Match {
  readonly group: MatchGroup
  /** The path of its page. */
  readonly href: string
  readonly title: string
  /** Its distinguishing name: an id or a host. */
  readonly detail: string
  /** The state of the webhook, not of the email. */
  readonly webhook?: { readonly state: DeliveryState; readonly reason: string }
  /** Why the email has its state, or the state. */
  readonly reason?: string
  /** RFC 3339. */
  readonly at?: string
  /** Opens the list filtered by this recipient, who must not be in a URL. */
  readonly recipient?: string
  /** What the page should open or do, such as a dialog. */
  readonly asks?: string
  /** Writes this into the search box instead of opening a page, to ask for the rest. */
  readonly fills?: string
  /** Looks the text up as an id instead of opening a page. */
  readonly looksUp?: true
  /** Other words that find it. */
  readonly alias?: string
}
