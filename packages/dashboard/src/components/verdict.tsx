import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Tone = 'delivered' | 'failed' | 'pending' | 'exhausted' | 'neutral'

const tones: Record<Tone, string> = {
  delivered: 'border-delivered bg-delivered-tint',
  failed: 'border-failed bg-failed-tint',
  pending: 'border-pending bg-pending-tint',
  exhausted: 'border-exhausted bg-exhausted-tint',
  neutral: 'border-control bg-sunken',
}

export interface VerdictProps {
  /** A name, if a page has several verdicts; default: `Verdict`. */
  readonly label?: string
  readonly tone: Tone
  /** The answer in one sentence, after the state's icon and word. */
  readonly headline: ReactNode
  /** What follows, and what to do. */
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** The first line of a page: the answer in words, with the next step beside it. */
export function Verdict({ label = 'Verdict', tone, headline, children, actions }: VerdictProps) {
  return (
    <section
      aria-label={label}
      className={classNames('flex flex-wrap items-start gap-x-6 gap-y-3 border-l-4 px-4 py-3', tones[tone])}
    >
      <div className="min-w-0 flex-1 basis-80 space-y-1">
        <p className="text-section font-medium *:data-badge:-ml-1.5 *:data-badge:bg-transparent">
          {headline}
        </p>
        {children !== undefined && (
          <div className="space-y-1 text-body text-ink-2 empty:hidden *:max-w-[110ch]">{children}</div>
        )}
      </div>
      {actions !== undefined && actions !== false && (
        <div data-actions className="no-print flex flex-wrap gap-2 empty:hidden">
          {actions}
        </div>
      )}
    </section>
  )
}
