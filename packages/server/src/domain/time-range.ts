import { firstUuidV7At } from './uuid-v7.ts'

/** A range of ids; null for no limit. */
export interface IdRange {
  /** Inclusive. */
  from: string | null
  /** Exclusive. */
  to: string | null
}

/**
 * The range of ids created from `since` and before `until` (RFC 3339), because an id begins with its time.
 * @example
 * idRange({ since: '2026-11-21T04:00:00Z' }) // { from: '019aa4c8-…-0000-0000-000000000000', to: null }
 */
export function idRange(range: { since?: string | undefined; until?: string | undefined }): IdRange {
  return { from: firstIdAt(range.since), to: firstIdAt(range.until) }
}

function firstIdAt(moment: string | undefined): string | null {
  return moment === undefined ? null : firstUuidV7At(Date.parse(moment))
}
