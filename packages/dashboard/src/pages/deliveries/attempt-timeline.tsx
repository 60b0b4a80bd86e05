import type { Delivery } from '@posthorn/contract'
import { timeTicksMs } from '../../charts/time-ticks.ts'
import { PhaseScale } from '../../components/phase-bar.tsx'
import { AttemptRow } from './attempt-row.tsx'
import { foldAttempts } from './fold-attempts.ts'
import { timelineGrid } from './timeline-grid.ts'
import type { EventBody } from './use-event-body.ts'

export interface AttemptTimelineProps {
  readonly delivery: Delivery
  /** Null if the endpoint was deleted. */
  readonly url: string | null
  readonly body: EventBody
}

/** The attempts, newest first, on one time scale; equal results share a line. */
export function AttemptTimeline({ delivery, url, body }: AttemptTimelineProps) {
  const attempts = delivery.attempts ?? []
  const ticksMs = timeTicksMs(Math.max(1, ...attempts.map(({ duration_ms: ms }) => ms)))
  const runs = foldAttempts(attempts)
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts" className="mb-2">
        Attempts
      </h2>
      {runs.length === 0 ? (
        <p className="text-ink-2">No attempts yet. They appear here when we send the event.</p>
      ) : (
        <div
          className={`${timelineGrid} border-b border-line px-2 pb-1 text-label text-ink-3 max-wide:hidden`}
        >
          <span>#</span>
          <span>Started</span>
          <span>Result</span>
          <PhaseScale ticksMs={ticksMs} />
          <span className="text-right">Total</span>
        </div>
      )}
      <ol>
        {runs.map((run, place) => (
          <AttemptRow
            key={`${run.at(-1)?.id} ${place === 0}`}
            run={run}
            scaleMs={ticksMs.at(-1) ?? 1}
            isNewest={place === 0}
            evidence={{ url, body }}
          />
        ))}
      </ol>
    </section>
  )
}
