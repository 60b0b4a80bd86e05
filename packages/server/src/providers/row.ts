import type { ProviderKind, ProviderSource } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'

export interface ProviderSourceRow {
  id: string
  kind: ProviderKind
  created_at: Date
  last_at: Date | null
  event_count: number
  ignored_count: number
  refused_count: number
}

export const providerSourceColumns =
  's.id, s.kind, s.created_at, s.last_at, s.event_count, s.ignored_count, s.refused_count'

/** A source as the API shows it, without its URL and key. */
export function toProviderSource(row: ProviderSourceRow): ProviderSource {
  return {
    id: typeId('src', row.id),
    kind: row.kind,
    created_at: row.created_at.toISOString(),
    last_at: row.last_at?.toISOString() ?? null,
    event_count: row.event_count,
    ignored_count: row.ignored_count,
    refused_count: row.refused_count,
  }
}
