import type { DeliveryState } from '@posthorn/contract'
import { CircleCheck, CircleDashed, OctagonX, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, type BadgeLook } from './badge.tsx'

const looks: Record<DeliveryState, BadgeLook & { word: string }> = {
  delivered: { icon: CircleCheck, word: 'Delivered', look: 'bg-delivered-tint text-delivered' },
  failed: { icon: RotateCw, word: 'Failed', look: 'bg-failed-tint text-failed' },
  pending: { icon: CircleDashed, word: 'Pending', look: 'bg-pending-tint text-pending' },
  exhausted: { icon: OctagonX, word: 'Exhausted', look: 'bg-exhausted-tint text-exhausted' },
}

export const stateWords: Readonly<Record<DeliveryState, string>> = {
  delivered: looks.delivered.word,
  failed: looks.failed.word,
  pending: looks.pending.word,
  exhausted: looks.exhausted.word,
}

/** The icon of a state in its colour, to show beside the state's word. */
export function StateIcon({ state }: { state: DeliveryState }) {
  const { icon: Icon, look } = looks[state]
  return <Icon size={14} aria-hidden className={`shrink-0 ${look} bg-transparent!`} />
}

/** The state of a webhook beside an email, whose own state it is not: `Webhook failed: host not found`. */
export function WebhookBadge({ state, reason }: { state: DeliveryState; reason: string }) {
  const { word, ...look } = looks[state]
  return (
    <Badge {...look}>
      Webhook {lowerFirst(word)}: {lowerFirst(reason)}
    </Badge>
  )
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

/** A delivery's state as icon, word and colour; `children` follows the word. */
export function StateBadge({ state, children }: { state: DeliveryState; children?: ReactNode }) {
  const { word, ...look } = looks[state]
  return (
    <Badge {...look}>
      {word}
      {children !== undefined && <> · {children}</>}
    </Badge>
  )
}
