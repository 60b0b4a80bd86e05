import { CircleCheck, CircleDashed, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import type { Tone } from '../../components/verdict.tsx'

const looks: Record<Tone, { icon: LucideIcon; look: string }> = {
  delivered: { icon: CircleCheck, look: 'text-delivered' },
  failed: { icon: TriangleAlert, look: 'text-failed' },
  exhausted: { icon: OctagonX, look: 'text-exhausted' },
  pending: { icon: CircleDashed, look: 'text-pending' },
  neutral: { icon: CircleDashed, look: 'text-ink-3' },
}

/** The icon beside a verdict; its text says the same. */
export function VerdictIcon({ tone }: { tone: Tone }) {
  const { icon: Icon, look } = looks[tone]
  return <Icon size={18} aria-hidden className={`mt-0.5 shrink-0 ${look}`} />
}
