import type { Session } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'
import { csrfToken } from './csrf-token.ts'
import type { LiveSession } from './find-session.ts'

/** A session as the API shows it. */
export function toSession(
  live: LiveSession,
  token: string,
  service: { retentionDays: number; headerPrefix: string; version: string },
): Session {
  const { account, portal } = live
  return {
    id: typeId(live.kind === 'portal' ? 'pses' : 'ses', live.id),
    kind: live.kind,
    account: account && {
      id: typeId('acct', live.accountId),
      name: account.name,
      max_endpoints: account.maxEndpoints,
    },
    scopes: [...live.scopes],
    name: live.name,
    role: live.operator?.role ?? null,
    api_key_id: live.apiKeyId === null ? null : typeId('key', live.apiKeyId),
    keys_expire_by: live.keysExpireBy?.toISOString() ?? null,
    csrf_token: csrfToken(token),
    expires_at: live.expiresAt.toISOString(),
    idle_expires_at: live.idleExpiresAt.toISOString(),
    portal: portal && {
      name: portal.name,
      logo_url: portal.logoUrl,
      allowed_origins: [...portal.allowedOrigins],
    },
    retention_days: service.retentionDays,
    header_prefix: service.headerPrefix,
    version: service.version,
  }
}
