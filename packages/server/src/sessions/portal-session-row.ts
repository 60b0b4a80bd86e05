import type { PortalScope, PortalSession } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'

export interface PortalSessionRow {
  account_id: string
  id: string
  name: string | null
  logo_url: string | null
  scopes: PortalScope[]
  allowed_origins: string[]
  created_at: Date
  expires_at: Date
  keys_expire_by: Date | null
  exchanged_at: Date | null
  revoked_at: Date | null
}

export const portalSessionColumns =
  'p.account_id, p.id, p.name, p.logo_url, p.scopes, p.allowed_origins, p.created_at, p.expires_at, p.keys_expire_by, p.exchanged_at, p.revoked_at'

/** A portal session as the API shows it, without the secret of the link. */
export function toPortalSession(row: PortalSessionRow): PortalSession {
  return {
    id: typeId('pses', row.id),
    account_id: typeId('acct', row.account_id),
    scopes: row.scopes,
    allowed_origins: row.allowed_origins,
    name: row.name,
    logo_url: row.logo_url,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    keys_expire_by: row.keys_expire_by?.toISOString() ?? null,
    exchanged_at: row.exchanged_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}
