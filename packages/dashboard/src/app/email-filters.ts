import { textFilters } from './text-filters.ts'

/** What narrows the list of emails, as it stands in the address. Recipients are personal and never stand there. */
export interface EmailFilters {
  /** States, separated by commas: those of which a recipient is in one. */
  readonly state?: string
  /** RFC 3339, inclusive. */
  readonly since?: string
  /** RFC 3339, exclusive. */
  readonly until?: string
}

export function emailFilters(search: Record<string, unknown>): EmailFilters {
  return textFilters(['state', 'since', 'until'], search)
}
