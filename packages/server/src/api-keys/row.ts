import type { ApiKey, Scope } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'

export interface ApiKeyRow {
  id: string
  name: string
  scopes: Scope[]
  prefix: string
  created_at: Date
  created_by_key: string | null
  created_by_portal_session: string | null
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
}

export const apiKeyColumns =
  'k.id, k.name, k.scopes, k.prefix, k.created_at, k.created_by_key, k.created_by_portal_session, k.expires_at, k.last_used_at, k.revoked_at'

/** An API key as the API shows it, without the key itself. */
export function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: typeId('key', row.id),
    name: row.name,
    scopes: row.scopes,
    prefix: row.prefix,
    created_at: row.created_at.toISOString(),
    created_by: createdBy(row),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}

function createdBy({
  created_by_key: key,
  created_by_portal_session: portal,
}: ApiKeyRow): ApiKey['created_by'] {
  return {
    kind: key !== null ? 'api_key' : portal !== null ? 'portal_session' : 'operator',
    api_key_id: key === null ? null : typeId('key', key),
    portal_session_id: portal === null ? null : typeId('pses', portal),
  }
}
