import type { WebhookHealth } from '@posthorn/contract'
import { sparkSummary } from '../words/spark-words.ts'

const barPx = 3
const stepPx = 4
const heightPx = 24

/** The last 24 hours of an endpoint, one bar each. Failures hang from the top, separated by a line. */
export function Spark({ hours }: { hours: WebhookHealth['hours'] }) {
  const summary = sparkSummary(hours)
  const most = Math.max(1, ...hours.map(({ delivered, failed }) => delivered + failed))
  return (
    <svg
      role="img"
      aria-label={summary}
      width={hours.length * stepPx - 1}
      height={heightPx}
      viewBox={`0 0 ${hours.length * stepPx - 1} ${heightPx}`}
      className="block"
    >
      <title>{summary}</title>
      {hours.map((hour, place) => (
        <Bar key={hour.at} hour={hour} most={most} x={place * stepPx} />
      ))}
    </svg>
  )
}

function Bar({ hour, most, x }: { hour: WebhookHealth['hours'][number]; most: number; x: number }) {
  const { delivered, failed } = hour
  const total = delivered + failed
  if (total === 0) return <rect x={x} y={heightPx - 1} width={barPx} height={1} className="fill-control" />
  // a square root keeps a quiet hour visible beside a busy one
  const whole = Math.max(4, Math.round(Math.sqrt(total / most) * heightPx))
  const bad = failed === 0 ? 0 : Math.max(2, Math.round((failed / total) * whole))
  const good = Math.max(0, whole - bad - (bad > 0 ? 1 : 0))
  return (
    <>
      <rect x={x} y={heightPx - whole} width={barPx} height={bad} className="fill-c-failed" />
      {delivered > 0 && (
        <rect x={x} y={heightPx - good} width={barPx} height={good} className="fill-c-delivered" />
      )}
    </>
  )
}
