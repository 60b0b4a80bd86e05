import { uptime } from 'node:os'
import type { Clock } from './context.ts'
import type { Queryable } from './db/database.ts'
import { ClockSkew } from './clock-skew.ts'
import type { RetryPolicy } from './domain/backoff.ts'
import { type ClockFault, unwatchedMsMax } from './domain/maintenance-gate.ts'
import { waitMsMax } from './domain/wait-ms-max.ts'
import type { Log } from './log.ts'
import { repairDueTimes } from './maintenance/repair-due-times.ts'
import { MaintenanceGate } from './maintenance/maintenance-gate.ts'

export interface Clocks {
  /** The database's time, so that no id, expiry or signature depends on how this machine's clock is set. */
  readonly clock: Clock
  /** How far this machine's clock is off. */
  readonly clockSkew: ClockSkew
  /** Whether the database's clock may decide what is deleted. */
  readonly gate: MaintenanceGate
}

export interface ClocksOptions {
  ownClock: Clock
  retentionDays: number
  retry: RetryPolicy
  leaseMs: number
  log: Log
}

/** Asks the database for the time, and says in the log when a clock is in doubt. */
export async function openClocks(
  db: Queryable,
  { ownClock, retentionDays, retry, leaseMs, log }: ClocksOptions,
): Promise<Clocks> {
  const clockSkew = new ClockSkew(db, ownClock)
  await clockSkew.start()
  if (!clockSkew.tolerable)
    log.warn({ skew_ms: clockSkew.skewMs }, 'the clocks differ too much: nothing is signed')
  const gate = new MaintenanceGate({
    db,
    skewMs: async () => {
      await clockSkew.check()
      return clockSkew.skewMs
    },
    // the second counts while the machine sleeps
    unsetClocks: [() => ownClock.monotonicMs(), () => uptime() * 1_000],
    unwatchedMsMax: unwatchedMsMax(retentionDays),
    onSetBack: async () => {
      const repaired = await repairDueTimes(db, { waitMs: waitMsMax(retry), leaseMs })
      log.warn(
        repaired,
        "the database's clock was ahead and is right again: what would have been due too late is due now",
      )
    },
    onChange: (fault, { nowMs, seenMs }) => {
      if (fault === null) return log.info('maintenance goes on')
      const clock = { database_clock: new Date(nowMs), last_trusted: new Date(seenMs), reason: fault }
      log.warn(clock, `maintenance is stopped: ${stoppedBecause[fault]}`)
    },
  })
  const clock = { nowMs: () => clockSkew.databaseMs, monotonicMs: () => ownClock.monotonicMs() }
  return { clock, clockSkew, gate }
}

const confirm = 'If it is right, run `posthorn maintenance confirm-clock`.'

const stoppedBecause: Readonly<Record<ClockFault, string>> = {
  clocks_differ:
    'the clocks of this process and the database differ by more than a minute. Set them right, by NTP for instance.',
  clock_behind: `the database's clock is behind the time at which maintenance last trusted it. ${confirm}`,
  clock_jumped: `the database's clock jumped ahead of the time at which maintenance last trusted it, or nothing ran for days. ${confirm}`,
}
