import type { PortalSession } from '@posthorn/contract'
import { Ban, CircleCheck, CircleDashed, Hourglass, type LucideIcon } from 'lucide-react'
import { useNowMs } from '../app/clock.ts'
import { type PortalLinkState, portalLinkState } from '../words/portal-link-words.ts'
import { Time } from './time.tsx'

const looks: Record<PortalLinkState, { icon: LucideIcon; word: string; look: string }> = {
  unused: { icon: CircleDashed, word: 'Not opened yet, until', look: 'bg-pending-tint text-pending' },
  open: { icon: CircleCheck, word: 'In use until', look: 'bg-delivered-tint text-delivered' },
  ended: { icon: Hourglass, word: 'Ended', look: 'bg-sunken text-ink-2' },
  revoked: { icon: Ban, word: 'Revoked', look: 'bg-sunken text-ink-2' },
}

/** What became of a portal link, as icon, word and colour. */
export function PortalLinkBadge({ link }: { link: PortalSession }) {
  const { icon: Icon, word, look } = looks[portalLinkState(link, useNowMs())]
  return (
    <span className={`inline-flex items-center gap-1 rounded-small px-1.5 py-0.5 ${look}`}>
      <Icon size={14} aria-hidden className="shrink-0" />
      <span>
        {word} <Time at={link.revoked_at ?? link.expires_at} />
      </span>
    </span>
  )
}
