import type { System } from '@posthorn/contract'
import { CircleCheck, CircleDashed } from 'lucide-react'

/** Each process says every five seconds that it lives; three times silent is worth a look. */
const silentMs = 20_000

export interface ProcessBadgeProps {
  readonly process: System['processes'][number]
  readonly nowMs: number
}

/** Whether a process lives, as icon, word and colour. */
export function ProcessBadge({ process, nowMs }: ProcessBadgeProps) {
  const isSilent = nowMs - Date.parse(process.last_seen_at) > silentMs
  const Icon = isSilent ? CircleDashed : CircleCheck
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-small px-1.5 py-0.5 ${isSilent ? 'bg-failed-tint text-failed' : 'bg-delivered-tint text-delivered'}`}
    >
      <Icon size={14} aria-hidden className="shrink-0" />
      {isSilent ? 'Silent' : 'Lives'}
    </span>
  )
}
