import { textFilters } from './text-filters.ts'

/** The filters of the list of events, as they appear in the URL. A recipient is personal data and never does. */
export interface EventFilters {
  readonly type?: string
  /** As in the API. */
  readonly reason?: string
  readonly email?: string
  readonly since?: string
  readonly until?: string
}

export function eventFilters(search: Record<string, unknown>): EventFilters {
  return textFilters(['type', 'reason', 'email', 'since', 'until'], search)
}
