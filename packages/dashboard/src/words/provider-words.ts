import type { Session } from '@posthorn/contract'

/** Whom to ask for a new link: by the portal's name, else by the page around ours, else in general. */
export function providerWords(session: Session | undefined, hostOrigin: string | null): string {
  if (typeof session?.portal?.name === 'string') return session.portal.name
  return hostOrigin === null ? 'whoever gave it to you' : new URL(hostOrigin).host
}
