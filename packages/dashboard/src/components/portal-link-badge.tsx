import type { PortalSession } from '@posthorn/contract'
import { Ban, CircleCheck, CircleDashed, Hourglass } from 'lucide-react'
import { useNowMs } from '../app/clock.ts'
import { type PortalLinkState, portalLinkState } from '../words/portal-link-words.ts'
import { Badge, type BadgeLook } from './badge.tsx'
import { Time } from './time.tsx'

const looks: Record<PortalLinkState, BadgeLook & { word: string }> = {
  unused: { icon: CircleDashed, word: 'Not opened yet, until', look: 'bg-pending-tint text-pending' },
  open: { icon: CircleCheck, word: 'In use until', look: 'bg-delivered-tint text-delivered' },
  ended: { icon: Hourglass, word: 'Ended', look: 'bg-sunken text-ink-2' },
  revoked: { icon: Ban, word: 'Revoked', look: 'bg-sunken text-ink-2' },
}

/** The state of a portal link, as icon, word and colour. */
export function PortalLinkBadge({ link }: { link: PortalSession }) {
  const { word, ...look } = looks[portalLinkState(link, useNowMs())]
  return (
    <Badge {...look}>
      {word} <Time at={link.revoked_at ?? link.expires_at} />
    </Badge>
  )
}
