import { type Phase, type PhaseSpan, phaseWords } from '../charts/phase-spans.ts'
import { formatCount } from '../format/numbers.ts'

export interface PhaseBarProps {
  readonly spans: readonly PhaseSpan[]
  /** The duration of the full width; the same for all bars to compare. */
  readonly scaleMs: number
}

/**
 * Where the time of one attempt went. Slate is the network, brass is your server, crimson hatching is where it
 * stopped. The numbers are below as text.
 */
export function PhaseBar({ spans, scaleMs }: PhaseBarProps) {
  return (
    <div className="min-w-0">
      <div aria-hidden className="flex h-3">
        {spans.map(({ phase, ms, stopped }) => (
          <div
            key={phase}
            style={{ width: `${(ms / scaleMs) * 100}%` }}
            className={`border-r border-paper ${stopped ? 'hatched min-w-2' : `min-w-0.5 ${fills[phase]}`}`}
          />
        ))}
      </div>
      <div className="text-label text-ink-3">{phaseWords(spans)}</div>
    </div>
  )
}

/** The scale above several bars. */
export function PhaseScale({ ticksMs }: { ticksMs: readonly number[] }) {
  const lastMs = ticksMs.at(-1) ?? 1
  return (
    <div aria-hidden className="relative h-4 text-label text-ink-3">
      {ticksMs.slice(0, -1).map(tickMs => (
        <span
          key={tickMs}
          style={{ left: `${(tickMs / lastMs) * 100}%` }}
          className="absolute whitespace-nowrap"
        >
          {tickMs === 0 ? '0 ms' : tickLabel(tickMs)}
        </span>
      ))}
    </div>
  )
}

function tickLabel(ms: number): string {
  return Number.isInteger(ms) ? formatCount(ms) : String(ms)
}

const fills: Record<Phase, string> = {
  dns: 'bg-ph-way',
  connect: 'bg-ph-way',
  tls: 'bg-ph-way',
  server: 'bg-ph-you',
  answer: 'bg-ph-way',
}
