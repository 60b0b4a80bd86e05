import type { ApiKey, Scope } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'

export interface ApiKeyRow {
  id: string
  name: string
  scopes: Scope[]
  prefix: string
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
}

export const apiKeyColumns =
  'k.id, k.name, k.scopes, k.prefix, k.created_at, k.expires_at, k.last_used_at, k.revoked_at'

/** An API key as the API shows it to the operator, without the key itself. */
export function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: typeId('key', row.id),
    name: row.name,
    scopes: row.scopes,
    prefix: row.prefix,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}
