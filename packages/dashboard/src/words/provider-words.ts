import type { Session } from '@posthorn/contract'

/** Who can give a new link: the portal's provider, else the host page, else the person who sent it. */
export function providerWords(session: Session | undefined, hostOrigin: string | null): string {
  if (typeof session?.portal?.name === 'string') return session.portal.name
  return hostOrigin === null ? 'the person who gave it to you' : new URL(hostOrigin).host
}
