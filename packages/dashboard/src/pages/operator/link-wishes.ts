import type { PortalScope } from '@posthorn/contract'
import { defaultPortalScopes } from '@posthorn/contract/plain'
import { portalDurations } from '../../words/portal-link-words.ts'

/** The form for a portal link. */
export interface LinkWishes {
  readonly scopes: readonly PortalScope[]
  readonly durationLabel: string
  /** One per line. */
  readonly origins: string
  readonly name: string
  readonly logoUrl: string
}

export const firstLinkWishes: LinkWishes = {
  scopes: defaultPortalScopes,
  durationLabel: '1 hour',
  origins: '',
  name: '',
  logoUrl: '',
}

/** The request that creates the link; empty fields are left out. */
export function linkBody(accountId: string, wishes: LinkWishes) {
  const { scopes, durationLabel, origins, name, logoUrl } = wishes
  const seconds = portalDurations.find(({ label }) => label === durationLabel)?.seconds ?? 3_600
  return {
    account_id: accountId,
    scopes: [...scopes],
    expires_in_seconds: seconds,
    allowed_origins: origins.split(/\s+/).filter(origin => origin !== ''),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(logoUrl.trim() !== '' && { logo_url: logoUrl.trim() }),
  }
}
