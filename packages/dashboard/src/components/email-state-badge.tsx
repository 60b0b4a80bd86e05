import type { EmailState } from '@posthorn/contract'
import { CircleCheck, CircleDashed, OctagonX, Send, Undo2 } from 'lucide-react'
import { emailStateWords } from '../words/email-words.ts'
import { Badge, type BadgeLook } from './badge.tsx'

const looks: Record<EmailState, BadgeLook> = {
  queued: { icon: CircleDashed, look: 'bg-pending-tint text-pending' },
  // neutral, because it is the final known state of some emails
  handed_over: { icon: Send, look: 'bg-sunken text-ink-2' },
  delivered: { icon: CircleCheck, look: 'bg-delivered-tint text-delivered' },
  bounced: { icon: Undo2, look: 'bg-exhausted-tint text-exhausted' },
  failed: { icon: OctagonX, look: 'bg-exhausted-tint text-exhausted' },
}

/** The icon of a state in its colour, to show beside the state's word. */
export function EmailStateIcon({ state }: { state: EmailState }) {
  const { icon: Icon, look } = looks[state]
  return <Icon size={14} aria-hidden className={`shrink-0 ${look} bg-transparent!`} />
}

/** The state of an email; `share` says how many recipients have it: `1 of 3`. */
export function EmailStateBadge({ state, share = null }: { state: EmailState; share?: string | null }) {
  return (
    <Badge {...looks[state]}>
      {emailStateWords[state]}
      {share !== null && <> · {share}</>}
    </Badge>
  )
}
