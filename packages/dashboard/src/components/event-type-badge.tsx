import type { EventType } from '@posthorn/contract'
import { Ban, CircleCheck, Flag, Hourglass, MailX, OctagonX, Undo2 } from 'lucide-react'
import { Badge, type BadgeLook } from './badge.tsx'

/** The colours are those of the charts of outcomes. */
const looks: Record<EventType, BadgeLook> = {
  'email.delivered': { icon: CircleCheck, look: 'bg-delivered-tint text-delivered' },
  'email.bounced': { icon: Undo2, look: 'bg-exhausted-tint text-exhausted' },
  'email.failed': { icon: OctagonX, look: 'bg-failed-tint text-failed' },
  'email.unsubscribed': { icon: MailX, look: 'bg-pending-tint text-pending' },
  'email.complained': { icon: Flag, look: 'bg-pending-tint text-pending' },
  'email.deferred': { icon: Hourglass, look: 'bg-failed-tint text-failed' },
  'email.suppressed': { icon: Ban, look: 'bg-failed-tint text-failed' },
}

/** The type of an event as icon, word and colour. */
export function EventTypeBadge({ type }: { type: EventType }) {
  return <Badge {...looks[type]}>{type}</Badge>
}

/** The icon of a type in its colour, to show beside the word. */
export function EventTypeIcon({ type }: { type: EventType }) {
  const { icon: Icon, look } = looks[type]
  return <Icon size={14} aria-hidden className={`shrink-0 ${look} bg-transparent!`} />
}
