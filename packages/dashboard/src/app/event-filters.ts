import { textFilters } from './text-filters.ts'

/** What narrows the list of events, as it stands in the address. Recipients are personal and never stand there. */
export interface EventFilters {
  readonly type?: string
  readonly email?: string
  readonly since?: string
  readonly until?: string
}

export function eventFilters(search: Record<string, unknown>): EventFilters {
  return textFilters(['type', 'email', 'since', 'until'], search)
}
