import { textFilters } from './text-filters.ts'

/** The filters of the list of suppressions, as they appear in the URL. An address is personal data and never does. */
export interface SuppressionFilters {
  /** States, separated by commas; empty: those in force. */
  readonly state?: string
  /** Reasons, separated by commas. */
  readonly reason?: string
}

export function suppressionFilters(search: Record<string, unknown>): SuppressionFilters {
  return textFilters(['state', 'reason'], search)
}
