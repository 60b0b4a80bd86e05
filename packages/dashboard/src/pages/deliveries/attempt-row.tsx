import type { Attempt } from '@posthorn/contract'
import { ChevronDown, ChevronRight, CircleCheck, RotateCw } from 'lucide-react'
import { useId, useState } from 'react'
import { phaseSpans } from '../../charts/phase-spans.ts'
import { PhaseBar } from '../../components/phase-bar.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount, formatDuration } from '../../format/numbers.ts'
import { attemptResult } from '../../words/attempt-words.ts'
import { AttemptEvidence, type EvidenceSources } from './attempt-evidence.tsx'
import type { AttemptRun } from './fold-attempts.ts'
import { timelineGrid } from './timeline-grid.ts'

export interface AttemptRowProps {
  readonly run: AttemptRun
  readonly scaleMs: number
  /** The newest attempt is open, and the verdict already shows its result. */
  readonly isNewest?: boolean
  readonly evidence: EvidenceSources
}

/** One attempt, or several with the same result. Opened, it shows the request and the answer, or each attempt. */
export function AttemptRow({ run, scaleMs, isNewest = false, evidence }: AttemptRowProps) {
  const [isOpen, setIsOpen] = useState(isNewest)
  const panelId = useId()
  const [newest] = run
  const oldest = run.at(-1) ?? newest
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const isDelivered = newest.outcome === 'delivered'
  const Icon = isDelivered ? CircleCheck : RotateCw
  return (
    <li className="border-b border-line">
      <div
        className={`${timelineGrid} relative px-2 py-1.5 hover:bg-sunken max-wide:flex max-wide:flex-wrap max-wide:items-center max-wide:gap-x-2 max-wide:gap-y-1`}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setIsOpen(!isOpen)}
          className="inline-flex items-center gap-1 text-left after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ink"
        >
          <Chevron size={16} aria-hidden className="shrink-0 text-ink-3" />
          <span className="sr-only">Attempt </span>
          {run.length === 1 ? newest.number : `${oldest.number}–${newest.number}`}
        </button>
        <span>
          <Time at={oldest.started_at} withMs={run.length === 1} />
          {run.length > 1 && ' …'}
        </span>
        <span className={`inline-flex items-center gap-1 ${isDelivered ? 'text-delivered' : 'text-failed'}`}>
          <Icon size={14} aria-hidden className="shrink-0" />
          <span className="sr-only">{isDelivered ? 'Delivered: ' : 'Failed: '}</span>
          <span>
            {attemptResult(newest)}
            {run.length > 1 && `, ${formatCount(run.length)} times`}
          </span>
        </span>
        <div className="min-w-0 max-wide:order-last max-wide:basis-full">
          <PhaseBar spans={phaseSpans(newest)} scaleMs={scaleMs} />
        </div>
        <span className="ml-auto text-right whitespace-nowrap">{totalWords(run)}</span>
      </div>
      {isOpen && (
        <div id={panelId} className="pb-3 pl-7 max-wide:pl-2">
          {run.length === 1 ? (
            <AttemptEvidence attempt={newest} isToldAlready={isNewest} {...evidence} />
          ) : (
            <ol className="border-t border-line">
              {run.map(attempt => (
                <AttemptRow key={attempt.id} run={[attempt]} scaleMs={scaleMs} evidence={evidence} />
              ))}
            </ol>
          )}
        </div>
      )}
    </li>
  )
}

/** `48 ms`, or the shortest and the longest: `44 … 51 ms`. */
function totalWords(run: readonly Attempt[]): string {
  const all = run.map(({ duration_ms: ms }) => ms)
  const shortest = formatDuration(Math.min(...all))
  const longest = formatDuration(Math.max(...all))
  if (shortest === longest) return longest
  const [number, unit] = shortest.split(' ')
  return longest.endsWith(` ${unit}`) ? `${number} … ${longest}` : `${shortest} … ${longest}`
}
