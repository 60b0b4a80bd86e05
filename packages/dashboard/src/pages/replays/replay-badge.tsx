import type { Replay } from '@posthorn/contract'
import { CircleCheck, CirclePause, LoaderCircle, type LucideIcon } from 'lucide-react'

const looks: Record<Replay['state'], { icon: LucideIcon; word: string; look: string }> = {
  running: { icon: LoaderCircle, word: 'Running', look: 'bg-pending-tint text-pending' },
  done: { icon: CircleCheck, word: 'Done', look: 'bg-delivered-tint text-delivered' },
  cancelled: { icon: CirclePause, word: 'Stopped', look: 'bg-sunken text-ink-2' },
}

/** A replay's state as icon, word and colour. */
export function ReplayBadge({ state }: Pick<Replay, 'state'>) {
  const { icon: Icon, word, look } = looks[state]
  return (
    <span className={`inline-flex items-center gap-1 rounded-small px-1.5 py-0.5 text-body ${look}`}>
      <Icon size={14} aria-hidden className="shrink-0" />
      {word}
    </span>
  )
}
