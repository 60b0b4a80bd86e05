import type { SystemHealth } from '@posthorn/contract'
import { Figure } from '../../components/figure.tsx'
import { formatCount, formatDuration } from '../../format/numbers.ts'
import { formatRate } from '../../format/rate.ts'

/** The numbers of events, deliveries and late deliveries, and the database's speed. Rates are of the last minute. */
export function HealthFigures({ health }: { health: SystemHealth }) {
  const { failing_endpoints: failing, disabled_endpoints: disabled } = health
  return (
    <dl className="grid grid-cols-2 gap-3 desk:grid-cols-3">
      <Figure
        label="Accepted"
        value={formatRate(health.accepted_per_second)}
        detail="events, over the last minute"
      />
      <Figure
        label="Delivered"
        value={formatRate(health.delivered_per_second)}
        detail={`${formatRate(health.failed_per_second)} failed`}
      />
      <Figure
        label="Oldest due"
        value={formatDuration(Math.round(health.oldest_due_seconds * 1_000))}
        detail={`${formatCount(health.waiting)} waiting in total`}
      />
      <Figure
        label="In flight"
        value={formatCount(health.in_flight)}
        detail={`${formatCount(health.held)} held, ${formatCount(health.unsettled)} not yet in the database`}
      />
      <Figure
        label="Database"
        value={formatDuration(health.database_ms)}
        detail={`a round trip; clocks ${formatDuration(Math.abs(health.clock_skew_ms))} apart`}
      />
      <Figure
        label="Endpoints in need"
        value={formatCount(failing)}
        detail={`failing; ${formatCount(disabled)} more disabled`}
      />
    </dl>
  )
}
