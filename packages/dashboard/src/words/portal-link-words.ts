import type { PortalSession } from '@posthorn/contract'

export type PortalLinkState = 'unused' | 'open' | 'ended' | 'revoked'

/** Whether a portal link can still be opened, or its session is still active. */
export function portalLinkState(
  link: Pick<PortalSession, 'exchanged_at' | 'expires_at' | 'revoked_at'>,
  nowMs: number,
): PortalLinkState {
  if (link.revoked_at !== null) return 'revoked'
  if (Date.parse(link.expires_at) <= nowMs) return 'ended'
  return link.exchanged_at === null ? 'unused' : 'open'
}

/** The durations that a link can have. */
export const portalDurations = [
  { seconds: 900, label: '15 minutes' },
  { seconds: 3_600, label: '1 hour' },
  { seconds: 28_800, label: '8 hours' },
  { seconds: 86_400, label: '24 hours' },
] as const

/** The HTML that shows the portal in a host page. */
export function frameCode(url: string): string {
  return `<iframe src="${url}" title="Webhooks" referrerpolicy="origin" allow="clipboard-write"></iframe>`
}
