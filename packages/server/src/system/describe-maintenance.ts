import type { Maintenance } from '@posthorn/contract'
import type { ClockFault } from '../domain/maintenance-gate.ts'

/** The state of maintenance as the API shows it. Times are in milliseconds since the epoch. */
export function describeMaintenance({
  fault,
  nowMs,
  seenMs,
}: {
  fault: ClockFault | null
  nowMs: number
  seenMs: number
}): Maintenance {
  return {
    state: fault === null ? 'running' : 'stopped',
    reason: fault,
    database_clock: new Date(nowMs).toISOString(),
    last_trusted_at: new Date(seenMs).toISOString(),
  }
}
