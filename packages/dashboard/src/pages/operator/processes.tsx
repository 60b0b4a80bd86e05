import type { System } from '@posthorn/contract'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useNowMs } from '../../app/clock.ts'
import { Badge } from '../../components/badge.tsx'
import { RowTable } from '../../components/row-table.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { Time } from '../../components/time.tsx'
import { countOf } from '../../format/numbers.ts'

type Process = System['processes'][number]

const idOf = ({ id }: Process): string => id

/** All processes that used this database within the last minute. */
export function Processes({ system }: { system: System }) {
  const nowMs = useNowMs()
  return (
    <section aria-labelledby="processes" className="space-y-2">
      <h2 id="processes">{countOf(system.processes.length, 'process', 'processes')}</h2>
      <RowTable label="Processes" columns={columnsAt(nowMs)} pages={[system.processes]} idOf={idOf} />
    </section>
  )
}

const roleWords: Record<Process['role'], string> = {
  all: 'API and sending',
  api: 'API',
  dispatcher: 'Sending',
}

function columnsAt(nowMs: number): readonly RowColumn<Process>[] {
  return [
    { name: 'State', width: '9rem', cell: process => <ProcessBadge process={process} nowMs={nowMs} /> },
    { name: 'Host', isLabelled: true, width: 'minmax(0, 1fr)', cell: ({ host }) => <code>{host}</code> },
    { name: 'Role', isLabelled: true, width: '9rem', cell: ({ role }) => roleWords[role] },
    { name: 'Version', isLabelled: true, width: '6rem', cell: ({ version }) => version },
    { name: 'Started', width: '9rem', wideOnly: true, cell: ({ started_at: at }) => <Time at={at} /> },
    { name: 'Last seen', width: '9rem', wideOnly: true, cell: ({ last_seen_at: at }) => <Time at={at} /> },
  ]
}

/** Each process reports every five seconds; three missed reports are suspicious. */
const silentMs = 20_000

/** Whether a process is running, as icon, word and colour. */
function ProcessBadge({ process, nowMs }: { process: Process; nowMs: number }) {
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
