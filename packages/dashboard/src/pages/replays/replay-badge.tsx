import type { Replay } from '@posthorn/contract'
import { CircleCheck, CirclePause, LoaderCircle } from 'lucide-react'
import { Badge, type BadgeLook } from '../../components/badge.tsx'

const looks: Record<Replay['state'], BadgeLook & { word: string }> = {
  running: { icon: LoaderCircle, word: 'Running', look: 'bg-pending-tint text-pending' },
  done: { icon: CircleCheck, word: 'Done', look: 'bg-delivered-tint text-delivered' },
  cancelled: { icon: CirclePause, word: 'Stopped', look: 'bg-sunken text-ink-2' },
}

/** A replay's state as icon, word and colour. */
export function ReplayBadge({ state }: Pick<Replay, 'state'>) {
  const { word, ...look } = looks[state]
  return <Badge {...look}>{word}</Badge>
}
