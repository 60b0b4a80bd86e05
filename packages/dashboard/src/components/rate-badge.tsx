import { CircleCheck, OctagonX, TriangleAlert } from 'lucide-react'
import { type RateState, rateStateWords } from '../words/outcome-rates.ts'
import { Badge, type BadgeLook } from './badge.tsx'

const looks: Record<RateState, BadgeLook> = {
  good: { icon: CircleCheck, look: 'bg-delivered-tint text-delivered' },
  warning: { icon: TriangleAlert, look: 'bg-failed-tint text-failed' },
  risk: { icon: OctagonX, look: 'bg-exhausted-tint text-exhausted' },
}

/** Whether a rate is good, as icon, word and colour. */
export function RateBadge({ state }: { state: RateState }) {
  return <Badge {...looks[state]}>{rateStateWords[state]}</Badge>
}
