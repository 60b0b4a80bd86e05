import type { DomainRecordState } from '@posthorn/contract'
import { CircleCheck, CircleDashed, CircleQuestionMark, OctagonX, TriangleAlert } from 'lucide-react'
import { Badge, type BadgeLook } from '../../components/badge.tsx'
import { recordStateWords } from '../../words/domain-words.ts'

const looks: Record<DomainRecordState, BadgeLook> = {
  unchecked: { icon: CircleDashed, look: 'bg-pending-tint text-pending' },
  right: { icon: CircleCheck, look: 'bg-delivered-tint text-delivered' },
  missing: { icon: TriangleAlert, look: 'bg-failed-tint text-failed' },
  wrong: { icon: OctagonX, look: 'bg-exhausted-tint text-exhausted' },
  failed: { icon: CircleQuestionMark, look: 'bg-sunken text-ink-2' },
}

/** What the last check found in the DNS, as icon, word and colour. */
export function RecordBadge({ state }: { state: DomainRecordState }) {
  return <Badge {...looks[state]}>{recordStateWords[state]}</Badge>
}
