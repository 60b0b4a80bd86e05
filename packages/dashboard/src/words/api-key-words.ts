import type { ApiKey, Scope } from '@posthorn/contract'

export type ApiKeyState = 'live' | 'ending' | 'expired' | 'revoked'

/** How long before its expiry a key gets a warning. */
const warnedMs = 14 * 86_400_000

/** Whether a key works now. */
export function apiKeyState(
  { revoked_at: revokedAt, expires_at: expiresAt }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  nowMs: number,
): ApiKeyState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'live'
  const leftMs = Date.parse(expiresAt) - nowMs
  if (leftMs <= 0) return 'expired'
  return leftMs < warnedMs ? 'ending' : 'live'
}

/** What a key with this scope can do. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  read: 'read everything in the account',
  send: 'send emails and change everything that a customer can change',
  ingest: 'report outcomes of emails',
  keys: 'create and revoke API keys, if it also has send',
}
