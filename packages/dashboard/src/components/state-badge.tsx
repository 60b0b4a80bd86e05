import type { DeliveryState } from '@posthorn/contract'
import { CircleCheck, CircleDashed, type LucideIcon, OctagonX, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'

const looks: Record<DeliveryState, { icon: LucideIcon; word: string; look: string }> = {
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

/** The icon of a state, in its colour, for where its word stands beside it. */
export function StateIcon({ state }: { state: DeliveryState }) {
  const { icon: Icon, look } = looks[state]
  return <Icon size={14} aria-hidden className={`shrink-0 ${look} bg-transparent!`} />
}

/** A delivery's state as icon, word and colour; `children` follows the word. */
export function StateBadge({ state, children }: { state: DeliveryState; children?: ReactNode }) {
  const { icon: Icon, word, look } = looks[state]
  return (
    <span className={`inline-flex items-center gap-1 rounded-small px-1.5 py-0.5 text-body ${look}`}>
      <Icon size={14} aria-hidden className="shrink-0" />
      <span>
        {word}
        {children !== undefined && <> · {children}</>}
      </span>
    </span>
  )
}
