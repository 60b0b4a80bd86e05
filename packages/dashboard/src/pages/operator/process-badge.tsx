import type { System } from '@posthorn/contract'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'

/** Each process reports every five seconds; three missed reports are suspicious. */
const silentMs = 20_000

export interface ProcessBadgeProps {
  readonly process: System['processes'][number]
  readonly nowMs: number
}

/** Whether a process is running, as icon, word and colour. */
export function ProcessBadge({ process, nowMs }: ProcessBadgeProps) {
  const isSilent = nowMs - Date.parse(process.last_seen_at) > silentMs
  return isSilent ? (
    <Badge icon={CircleDashed} look="bg-failed-tint text-failed">
      Silent
    </Badge>
  ) : (
    <Badge icon={CircleCheck} look="bg-delivered-tint text-delivered">
      Running
    </Badge>
  )
}
