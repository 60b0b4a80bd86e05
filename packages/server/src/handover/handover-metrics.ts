import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Queryable } from '../db/database.ts'
import type { HandoverOptions } from './handover.ts'
import { countedMax } from './read-waiting-mail.ts'

/** Registers the metrics of hand-overs. @returns what to call with each result */
export function createHandoverMetrics(
  registry: Registry,
  {
    db,
    inFlight,
    certificateExpiresAtMs,
  }: { db: Queryable; inFlight: () => number; certificateExpiresAtMs: () => number | null },
): HandoverOptions['observe'] {
  const registers = [registry]
  const handovers = new Counter({
    name: 'posthorn_handovers_total',
    help: 'Emails offered to the mail server, by result: handed_over, outcome (refused, given up, suppressed), again, done (outcome known already), lost (to another process).',
    labelNames: ['result'],
    registers,
  })
  const seconds = new Histogram({
    name: 'posthorn_handover_duration_seconds',
    help: 'From the claim of an email to its result in the database.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    registers,
  })
  new Gauge({
    name: 'posthorn_handovers_in_flight',
    help: 'Emails that this process is offering to the mail server.',
    registers,
    collect() {
      this.set(inFlight())
    },
  })
  new Gauge({
    name: 'posthorn_handovers_waiting',
    help: `Recipients whose email the mail server does not have yet, in the database; at most ${countedMax} are counted.`,
    registers,
    aggregator: 'first',
    async collect() {
      const [row] = await db.query<{ count: number }>(
        `select count(*) as count from (select 1 from handover limit ${countedMax}) h`,
      )
      this.set(row?.count ?? 0)
    },
  })
  new Gauge({
    name: 'posthorn_smtp_certificate_expiry_timestamp_seconds',
    help: "When the mail server's certificate expires, as Unix time; without a value until a connection uses TLS.",
    registers,
    aggregator: 'min',
    collect() {
      const expiresAtMs = certificateExpiresAtMs()
      if (expiresAtMs === null) this.remove()
      else this.set(expiresAtMs / 1_000)
    },
  })
  return (result, durationMs) => {
    handovers.inc({ result })
    seconds.observe(durationMs / 1_000)
  }
}
