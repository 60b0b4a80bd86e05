import { textFilters } from './text-filters.ts'

/** What narrows the list of suppressions, as it stands in the address. Addresses are personal and never stand there. */
export interface SuppressionFilters {
  /** States, separated by commas; nothing: those in force. */
  readonly state?: string
  /** Separated by commas. */
  readonly reason?: string
}

export function suppressionFilters(search: Record<string, unknown>): SuppressionFilters {
  return textFilters(['state', 'reason'], search)
}
