import type { PortalScope } from '@posthorn/contract'
import { defaultPortalScopes } from '@posthorn/contract/plain'
import { lifetimeEnd } from '../../words/key-lifetimes.ts'
import { managesKeys } from '../../words/own-keys.ts'
import { portalDurations } from '../../words/portal-link-words.ts'

/** The form for a portal link. */
export interface LinkWishes {
  readonly scopes: readonly PortalScope[]
  /** When keys that the session creates expire at the latest; only with the scope `keys`. */
  readonly keyLifetime: string
  readonly durationLabel: string
  /** One per line. */
  readonly origins: string
  readonly name: string
  readonly logoUrl: string
}

/** By default, the keys of a session end with it. */
export const withSession = 'With the session'

export const firstLinkWishes: LinkWishes = {
  scopes: defaultPortalScopes,
  keyLifetime: withSession,
  durationLabel: '1 hour',
  origins: '',
  name: '',
  logoUrl: '',
}

/** The request that creates the link; empty fields are left out. */
export function linkBody(accountId: string, wishes: LinkWishes, nowMs: number) {
  const { scopes, keyLifetime, durationLabel, origins, name, logoUrl } = wishes
  const seconds = portalDurations.find(({ label }) => label === durationLabel)?.seconds ?? 3_600
  return {
    account_id: accountId,
    scopes: [...scopes],
    expires_in_seconds: seconds,
    ...(managesKeys(scopes) &&
      keyLifetime !== withSession && { keys_expire_by: lifetimeEnd(keyLifetime, null, nowMs) }),
    allowed_origins: origins.split(/\s+/).filter(origin => origin !== ''),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(logoUrl.trim() !== '' && { logo_url: logoUrl.trim() }),
  }
}
