import type { WebhookHealth } from '@posthorn/contract'
import { CircleCheck, CircleDashed, CirclePause, Moon, OctagonX, RotateCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, type BadgeLook } from './badge.tsx'

export interface HealthBadgeProps {
  readonly health: Pick<WebhookHealth, 'state' | 'disabled_reason'>
  readonly children?: ReactNode
}

/** The health of an endpoint as icon, word and colour; `children` follows the word. */
export function HealthBadge({ health, children }: HealthBadgeProps) {
  const { word, ...look } = lookOf(health)
  return (
    <Badge {...look}>
      {word}
      {children !== undefined && <> · {children}</>}
    </Badge>
  )
}

/** The word alone, for places without colour: `Failing`. */
export function healthWordOf(health: HealthBadgeProps['health']): string {
  return lookOf(health).word
}

function lookOf({
  state,
  disabled_reason: reason,
}: HealthBadgeProps['health']): BadgeLook & { word: string } {
  switch (state) {
    case 'healthy':
      return { icon: CircleCheck, word: 'Healthy', look: 'bg-delivered-tint text-delivered' }
    case 'failing':
      return { icon: RotateCw, word: 'Failing', look: 'bg-failed-tint text-failed' }
    case 'degraded':
      return { icon: TriangleAlert, word: 'Degraded', look: 'bg-failed-tint text-failed' }
    case 'new':
      return { icon: CircleDashed, word: 'New', look: 'bg-pending-tint text-pending' }
    case 'quiet':
      return { icon: Moon, word: 'Quiet', look: 'bg-sunken text-ink-2' }
    case 'disabled':
      return reason === 'manual'
        ? { icon: CirclePause, word: 'Disabled', look: 'bg-sunken text-ink-2' }
        : { icon: OctagonX, word: 'Disabled', look: 'bg-exhausted-tint text-exhausted' }
  }
}
