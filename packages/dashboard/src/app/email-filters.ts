import { textFilters } from './text-filters.ts'

/** The filters of the list of emails, as they appear in the URL. A recipient is personal data and never does. */
export interface EmailFilters {
  /** States, separated by commas; an email matches if one recipient does. */
  readonly state?: string
  /** RFC 3339, inclusive. */
  readonly since?: string
  /** RFC 3339, exclusive. */
  readonly until?: string
}

export function emailFilters(search: Record<string, unknown>): EmailFilters {
  return textFilters(['state', 'since', 'until'], search)
}
