import { type LucideIcon, OctagonX, RotateCw, TriangleAlert, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'

export interface NoticeProps {
  readonly tone: 'exhausted' | 'failed' | 'delivered'
  readonly word: 'Disabled' | 'Failing' | 'Degraded' | 'Warning' | 'Back' | 'Suspended' | 'Limit'
  readonly headline: string
  readonly detail: string
  readonly action: ReactNode
}

const tones = {
  exhausted: { edge: 'border-exhausted bg-exhausted-tint', ink: 'text-exhausted' },
  failed: { edge: 'border-failed bg-failed-tint', ink: 'text-failed' },
  delivered: { edge: 'border-delivered bg-delivered-tint', ink: 'text-delivered' },
} as const

const icons: Record<NoticeProps['word'], LucideIcon> = {
  Disabled: OctagonX,
  Failing: RotateCw,
  Degraded: TriangleAlert,
  Warning: TriangleAlert,
  Back: Undo2,
  Suspended: OctagonX,
  Limit: TriangleAlert,
}

/** One important message in a sentence, with the next step beside it. */
export function Notice({ tone, word, headline, detail, action }: NoticeProps) {
  const { edge, ink } = tones[tone]
  const Icon = icons[word]
  return (
    <li className={`flex flex-wrap items-center gap-x-4 gap-y-2 border-l-4 px-3 py-2 ${edge}`}>
      <div className="flex min-w-0 flex-1 basis-72 gap-3">
        <Icon size={16} role="img" aria-label={word} className={`mt-0.5 shrink-0 ${ink}`} />
        <p className="max-w-none min-w-0">
          <strong className="font-medium">{headline}</strong> {detail}
        </p>
      </div>
      {action}
    </li>
  )
}
