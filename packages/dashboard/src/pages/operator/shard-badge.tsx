import type { System } from '@posthorn/contract'
import { CircleCheck, CircleX } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'

type State = NonNullable<System['shards']>[number]['state']

/** Whether a shard responds, as icon, word and colour. */
export function ShardBadge({ state }: { state: State }) {
  return state === 'up' ? (
    <Badge icon={CircleCheck} look="bg-delivered-tint text-delivered">
      Up
    </Badge>
  ) : (
    <Badge icon={CircleX} look="bg-exhausted-tint text-exhausted">
      Down
    </Badge>
  )
}
