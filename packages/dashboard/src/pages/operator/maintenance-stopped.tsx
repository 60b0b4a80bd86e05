import type { Maintenance } from '@posthorn/contract'
import { Time } from '../../components/time.tsx'
import { Verdict } from '../../components/verdict.tsx'

export interface MaintenanceStoppedProps {
  readonly maintenance: Maintenance
  /** The shard that it is about, if there are several. */
  readonly shard: number | undefined
}

/** Why no old data is deleted, and what to do; nothing while maintenance runs. */
export function MaintenanceStopped({ maintenance, shard }: MaintenanceStoppedProps) {
  const { reason, database_clock: clock, last_trusted_at: trusted } = maintenance
  if (reason === null) return null
  if (reason === 'clocks_differ') {
    return (
      <Verdict
        tone="failed"
        headline="Maintenance is stopped: this server’s clock and the database’s differ."
      >
        <p>Set both clocks, for example with NTP. Maintenance then continues automatically.</p>
      </Verdict>
    )
  }
  return (
    <Verdict
      tone="failed"
      headline={`Maintenance is stopped: the database’s clock ${reason === 'clock_behind' ? 'went back' : 'jumped ahead, or Posthorn was stopped for days'}.`}
    >
      <p>
        The clock shows <Time at={clock} />. Maintenance last accepted it at <Time at={trusted} />. If the
        time is correct, run{' '}
        <code>posthorn maintenance confirm-clock{shard !== undefined && ` --shard ${shard}`}</code>. If not,
        set the clock.
      </p>
    </Verdict>
  )
}
