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
  /** The database's time, so that ids, expiries and signatures do not depend on the clock of this machine. */
  readonly clock: Clock
  /** The difference between the clock of this machine and the database's. */
  readonly clockSkew: ClockSkew
  /** Decides whether Posthorn may delete data by the database's clock. */
  readonly gate: MaintenanceGate
}

export interface ClocksOptions {
  ownClock: Clock
  retentionDays: number
  retry: RetryPolicy
  leaseMs: number
  log: Log
}

/** Reads the database's clock, and logs a warning if a clock is in doubt. */
export async function openClocks(
  db: Queryable,
  { ownClock, retentionDays, retry, leaseMs, log }: ClocksOptions,
): Promise<Clocks> {
  const clockSkew = new ClockSkew(db, ownClock)
  await clockSkew.start()
  if (!clockSkew.tolerable)
    log.warn({ skew_ms: clockSkew.skewMs }, 'the clocks differ too much, so Posthorn signs nothing')
  const gate = new MaintenanceGate({
    db,
    skewMs: async () => {
      await clockSkew.check()
      return clockSkew.skewMs
    },
    // the second clock also runs while the machine sleeps
    unsetClocks: [() => ownClock.monotonicMs(), () => uptime() * 1_000],
    unwatchedMsMax: unwatchedMsMax(retentionDays),
    onSetBack: async () => {
      const repaired = await repairDueTimes(db, { waitMs: waitMsMax(retry), leaseMs })
      log.warn(
        repaired,
        'the database clock was ahead and is right again: deliveries with a late due time are due now',
      )
    },
    onChange: (fault, { nowMs, seenMs }) => {
      if (fault === null) return log.info('maintenance continues')
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
    'the clocks of this process and of the database differ by more than a minute. Synchronize them, for example with NTP.',
  clock_behind: `the database clock is behind the time of the last maintenance. ${confirm}`,
  clock_jumped: `the database clock is far ahead of the time of the last maintenance, or Posthorn did not run for days. ${confirm}`,
}
