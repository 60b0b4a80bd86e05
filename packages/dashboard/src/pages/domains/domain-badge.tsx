import type { SendingDomain } from '@posthorn/contract'
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import { Badge, type BadgeLook } from '../../components/badge.tsx'
import { type DomainWords, domainWords } from '../../words/domain-words.ts'

const looks: Record<DomainWords['tone'], BadgeLook> = {
  delivered: { icon: CircleCheck, look: 'bg-delivered-tint text-delivered' },
  failed: { icon: TriangleAlert, look: 'bg-failed-tint text-failed' },
  pending: { icon: CircleDashed, look: 'bg-pending-tint text-pending' },
}

/** Whether a domain's mail is signed, as icon, word and colour. */
export function DomainBadge({ domain }: { domain: SendingDomain }) {
  const { tone, word } = domainWords(domain)
  return <Badge {...looks[tone]}>{word}</Badge>
}
