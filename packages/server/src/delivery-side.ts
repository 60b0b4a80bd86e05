import { hostname } from 'node:os'
import type { Config } from './config.ts'
import type { Clock, Random } from './context.ts'
import { countSettlements } from './count-settlements.ts'
import type { ClockSkew } from './clock-skew.ts'
import { Dispatcher } from './dispatch/dispatcher.ts'
import { Lease } from './dispatch/lease.ts'
import { recover } from './dispatch/recover.ts'
import { headerNames } from './domain/header-names.ts'
import type { OperatorTimings } from './domain/endpoint-timings.ts'
import type { Egress } from './egress/egress.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Databases } from './open-databases.ts'
import type { Seal } from './seal/seal.ts'
import type { Statistics } from './stats/statistics.ts'
import type { Activity } from './domain/activity.ts'
import type { Tracing } from './telemetry/telemetry.ts'
import { Throughput } from './system/throughput.ts'

export interface DeliverySideOptions {
  config: Config
  role: Exclude<Config['role'], 'front'>
  databases: Databases
  statistics: Statistics
  clock: Clock
  random: Random
  clockSkew: ClockSkew
  seal: Seal
  egress: Egress
  newId: () => string
  version: string
  startedAtMs: number
  timings: OperatorTimings
  metrics: () => Metrics
  tracing: Tracing | null
  log: Log
}

export interface DeliverySide {
  readonly dispatcher: Dispatcher
  readonly throughput: Throughput
  /** The number of this process. */
  readonly number: () => number
  readonly activity: () => Activity
}

/** Registers this process and creates the sending side. It sends nothing before `dispatcher.start()`. */
export async function openDeliverySide(
  opened: AsyncDisposableStack,
  options: DeliverySideOptions,
): Promise<DeliverySide> {
  const { config, role, databases, statistics, clock, version, startedAtMs, timings, metrics, tracing, log } =
    options
  const { db, hotDb, leaseDb } = databases
  // no other process can use the embedded database, so all leases are old
  if (db.kind === 'embedded') await recover(db, { all: true, retry: timings.retry })
  const throughput = new Throughput(() => clock.monotonicMs())
  const activity = (): Activity => {
    const { inFlight, unstarted, unsettled } = dispatcher.load
    return { inFlight, held: unstarted, unsettled, perSecond: throughput.perSecond() }
  }
  const dispatcher: Dispatcher = new Dispatcher({
    ...options,
    ...config,
    db: hotDb,
    lease: () => lease,
    userAgent: `Posthorn/${version}`,
    headerNames: headerNames(config.headerPrefix),
    processNumber: () => statistics.processNumber,
    beginSpan: tracing?.beginAttempt ?? null,
    observe: (settlements, dropped) => {
      countSettlements({ metrics: metrics(), throughput, statistics }, settlements, dropped, clock.nowMs())
      if (tracing !== null) for (const { attempt, verdict } of settlements) attempt?.span?.settled(verdict)
    },
    onError: (what, error) => log.error({ err: error }, `dispatcher: ${what} failed`),
  })
  const lease: Lease = opened.use(
    await Lease.open({
      db: leaseDb,
      clock,
      leaseMs: config.leaseMs,
      attemptTimeoutMs: config.attemptTimeoutMaxMs,
      process: { host: hostname(), role, version, startedAtMs },
      activity,
      onLost: () => {
        log.warn({ process: lease.number }, 'this process lost its lease and continues with a new number')
        dispatcher.leaseLost()
      },
      onError: error => log.error({ err: error }, 'this process could not renew its lease'),
    }),
  )
  return { dispatcher, throughput, number: () => lease.number, activity }
}
