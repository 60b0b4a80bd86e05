import type { Maintenance } from '@posthorn/contract'
import { Time } from '../../components/time.tsx'
import { Verdict } from '../../components/verdict.tsx'

/** Why nothing is deleted by age, and what to do; nothing while maintenance runs. */
export function MaintenanceStopped({ maintenance }: { maintenance: Maintenance }) {
  const { reason, database_clock: clock, last_trusted_at: trusted } = maintenance
  if (reason === null) return null
  if (reason === 'clocks_differ') {
    return (
      <Verdict
        tone="failed"
        headline="Maintenance is stopped: this server’s clock and the database’s differ."
      >
        <p>Set both clocks, by NTP for instance. Maintenance then goes on by itself.</p>
      </Verdict>
    )
  }
  return (
    <Verdict
      tone="failed"
      headline={`Maintenance is stopped: the database’s clock ${reason === 'clock_behind' ? 'went back' : 'jumped ahead, or nothing ran for days'}.`}
    >
      <p>
        It reads <Time at={clock} />. Maintenance last trusted it at <Time at={trusted} />. If it is right,
        run <code>posthorn maintenance confirm-clock</code>. If not, set it.
      </p>
    </Verdict>
  )
}
