import type { IgnoredReportReason } from '@posthorn/contract'
import { type Aggregator, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ClockSkew } from './clock-skew.ts'
import type { MaintenanceGate } from './maintenance/maintenance-gate.ts'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import type { Settlement } from './dispatch/settle.ts'
import { heldBackReasons } from './domain/held-back.ts'
import { uuidV7Ms } from './domain/uuid-v7.ts'
import type { Egress } from './egress/egress.ts'
import type { QueueReader } from './system/queue-reader.ts'

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/** The metrics of this process. No label contains an account, an endpoint, a URL or an address. */
export interface Metrics {
  /** Other parts register their metrics here. */
  readonly registry: Registry
  accepted(events: number): void
  /** A message to a genuine return path created no event. */
  readonly mailIgnored: (reason: IgnoredReportReason) => void
  settled(settlements: readonly Settlement[], dropped: number, nowMs: number): void
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>
}

export interface MetricsOptions {
  queue: QueueReader
  dispatcher: Pick<Dispatcher, 'load'>
  egress: Pick<Egress, 'openSockets'>
  clockSkew: Pick<ClockSkew, 'skewMs' | 'roundTripMs'>
  gate: Pick<MaintenanceGate, 'isStopped'>
}

export function createMetrics(options: MetricsOptions): Metrics {
  const { queue, dispatcher, egress, clockSkew, gate } = options
  const registry = new Registry()
  const registers = [registry]
  const accepted = new Counter({
    name: 'posthorn_events_accepted_total',
    help: 'Events stored by this process.',
    registers,
  })
  const mailsIgnored = new Counter({
    name: 'posthorn_returned_mails_ignored_total',
    help: 'Messages that came back to a valid return path and created no event, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const dropped = new Counter({
    name: 'posthorn_results_dropped_total',
    help: 'Results that arrived after retention had deleted their delivery.',
    registers,
  })
  const attempts = new Counter({
    name: 'posthorn_attempts_total',
    help: 'Attempts made by this process, by result: success or the error code.',
    labelNames: ['result'],
    registers,
  })
  const finished = new Counter({
    name: 'posthorn_deliveries_finished_total',
    help: 'Deliveries that this process finished, by state.',
    labelNames: ['state'],
    registers,
  })
  const failed = new Counter({
    name: 'posthorn_deliveries_failed_total',
    help: 'Failed attempts of this process that were followed by a scheduled retry.',
    registers,
  })
  const attemptSeconds = new Histogram({
    name: 'posthorn_attempt_duration_seconds',
    help: 'Duration of attempts, success or not.',
    buckets: secondsBuckets,
    registers,
  })
  const endToEndSeconds = new Histogram({
    name: 'posthorn_end_to_end_duration_seconds',
    help: 'From the acceptance of an event to the end of a successful attempt.',
    buckets: [...secondsBuckets, 60, 600, 3_600, 86_400],
    registers,
  })
  const gauge = (name: string, help: string, read: () => number, aggregator: Aggregator = 'sum'): void => {
    new Gauge({
      name,
      help,
      registers,
      aggregator,
      collect() {
        this.set(read())
      },
    })
  }
  gauge('posthorn_attempts_in_flight', 'Attempts in flight in this process.', () => dispatcher.load.inFlight)
  gauge(
    'posthorn_deliveries_held',
    'Deliveries that this process has claimed and not started.',
    () => dispatcher.load.unstarted,
  )
  gauge(
    'posthorn_results_unsettled',
    'Results of attempts that are not stored yet.',
    () => dispatcher.load.unsettled,
  )
  gauge('posthorn_egress_sockets', 'Sockets to receivers, including idle ones.', () => egress.openSockets)
  gauge(
    'posthorn_clock_skew_seconds',
    'How far the clock of this process is ahead of the database clock.',
    () => clockSkew.skewMs / 1_000,
    'max',
  )
  gauge(
    'posthorn_database_round_trip_seconds',
    'Duration of the last round trip to the database; measured every ten seconds.',
    () => clockSkew.roundTripMs / 1_000,
    'max',
  )
  gauge(
    'posthorn_maintenance_stopped',
    '1 while this process deletes no old data, because the clock of the database is in doubt.',
    () => (gate.isStopped ? 1 : 0),
    'max',
  )
  new Gauge({
    name: 'posthorn_deliveries_in_queue',
    help: 'Unfinished deliveries in the database; an estimate above 100,000.',
    registers,
    aggregator: 'first',
    async collect() {
      this.set((await queue()).waiting)
    },
  })
  new Gauge({
    name: 'posthorn_oldest_due_age_seconds',
    help: 'For how long a delivery could have been sent that no process has claimed; without what endpoints hold back.',
    registers,
    aggregator: 'first',
    async collect() {
      this.set((await queue()).oldestDueSeconds)
    },
  })
  new Gauge({
    name: 'posthorn_deliveries_held_back',
    help: 'Due deliveries that wait because of their endpoint, by reason; at most 10,000 for each.',
    labelNames: ['reason'],
    registers,
    aggregator: 'first',
    async collect() {
      const { heldBack } = await queue()
      for (const reason of heldBackReasons) this.set({ reason }, heldBack[reason])
    },
  })

  return {
    registry,
    accepted: events => accepted.inc(events),
    mailIgnored: reason => mailsIgnored.inc({ reason }),
    settled: (settlements, droppedResults, nowMs) => {
      dropped.inc(droppedResults)
      // counted in maps first, because looking up a label is expensive
      const states = new Map<string, number>()
      const results = new Map<string, number>()
      for (const { delivery, verdict, attempt } of settlements) {
        if (verdict.dueInMs === null) count(states, verdict.state)
        else failed.inc()
        if (attempt === null) continue
        count(results, attempt.exchange.error?.code ?? 'success')
        attemptSeconds.observe(attempt.exchange.durationMs / 1_000)
        if (attempt.exchange.outcome === 'success') {
          endToEndSeconds.observe(Math.max(0, nowMs - uuidV7Ms(delivery.eventId)) / 1_000)
        }
      }
      for (const [state, times] of states) finished.inc({ state }, times)
      for (const [result, times] of results) attempts.inc({ result }, times)
    },
    text: async () => await registry.metrics(),
  }
}

function count(times: Map<string, number>, what: string): void {
  times.set(what, (times.get(what) ?? 0) + 1)
}
