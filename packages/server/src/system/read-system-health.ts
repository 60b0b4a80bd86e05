import type { Maintenance, SystemHealth } from '@posthorn/contract'
import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type Activity, sumActivities } from '../domain/activity.ts'
import { toMailHealth, type WaitingMail } from '../domain/waiting-mail.ts'
import { readEndpoints } from './read-endpoints.ts'
import type { QueueReader } from './queue-reader.ts'

/** A process that was silent for this long counts as inactive. */
const silentSecondsMax = 15

export interface SystemHealthSources {
  db: Queryable
  clock: Clock
  queue: QueueReader
  waitingMail: () => Promise<WaitingMail>
  /** When the mail server's certificate expires, as far as this process knows. */
  mailCertificateExpiresAtMs: () => number | null
  /** The number of this process. */
  processNumber: () => number
  activity: () => Activity
  clockSkew: { readonly skewMs: number }
  maintenance: () => Promise<Maintenance>
}

/** The health of the installation: the current state of this process, and the last reports of the others. */
export async function readSystemHealth(sources: SystemHealthSources): Promise<SystemHealth> {
  const { db, processNumber, activity, clockSkew } = sources
  const database_ms = await roundTripMs(sources)
  const others = await readOthers(db, processNumber())
  const { perSecond, ...load } = sumActivities([activity(), ...others])
  const queue = await sources.queue()
  return {
    accepted_per_second: rounded(perSecond.accepted),
    delivered_per_second: rounded(perSecond.delivered),
    failed_per_second: rounded(perSecond.failed),
    in_flight: load.inFlight,
    held: load.held,
    unsettled: load.unsettled,
    waiting: queue.waiting,
    oldest_due_seconds: rounded(queue.oldestDueSeconds),
    mail: toMailHealth([
      { ...(await sources.waitingMail()), certificateExpiresAtMs: sources.mailCertificateExpiresAtMs() },
    ]),
    database_ms,
    clock_skew_ms: rounded(clockSkew.skewMs),
    maintenance: await sources.maintenance(),
    ...(await readEndpoints(db)),
  }
}

async function roundTripMs({ db, clock }: SystemHealthSources): Promise<number> {
  const fromMs = clock.monotonicMs()
  await db.query('select 1 as one')
  return rounded(clock.monotonicMs() - fromMs)
}

async function readOthers(db: Queryable, own: number): Promise<Activity[]> {
  const rows = await db.query<ProcessActivityRow>(
    `select in_flight, held, unsettled, accepted_per_second, delivered_per_second, failed_per_second
     from process where number <> $1 and last_seen_at > now() - $2::int * interval '1 second'`,
    [own, silentSecondsMax],
  )
  return rows.map(row => ({
    inFlight: row.in_flight,
    held: row.held,
    unsettled: row.unsettled,
    perSecond: {
      accepted: row.accepted_per_second,
      delivered: row.delivered_per_second,
      failed: row.failed_per_second,
    },
  }))
}

interface ProcessActivityRow {
  in_flight: number
  held: number
  unsettled: number
  accepted_per_second: number
  delivered_per_second: number
  failed_per_second: number
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
