import * as z from 'zod'
import { timestamp } from '../timestamp.ts'

/** Whether data is deleted by age, endpoints that only fail are disabled, and so on. */
export const maintenance = z
  .object({
    state: z.enum(['running', 'stopped']),
    reason: z.enum(['clocks_differ', 'clock_behind', 'clock_jumped']).nullable().meta({
      description:
        'Why it is stopped. `clocks_differ`: the clocks of this process and the database are more than a minute apart. `clock_behind` and `clock_jumped`: the database’s clock is behind, or too far ahead of, `last_trusted_at`; if it is right, confirm it.',
    }),
    database_clock: timestamp.meta({ description: 'What the database’s clock says.' }),
    last_trusted_at: timestamp.meta({
      description: 'The latest time of the database’s clock that maintenance trusted.',
    }),
  })
  .meta({ id: 'Maintenance', description: 'As the process that answers judges it.' })

/** What the installation consists of, for whoever runs it. */
export const system = z
  .object({
    version: z.string().meta({ description: 'Of the process that answers.' }),
    node_version: z.string().meta({ description: 'Of the process that answers.' }),
    database: z.object({
      kind: z.enum(['embedded', 'postgresql']),
      version: z.string().meta({ description: 'Of PostgreSQL; the embedded database is one, too.' }),
      size_bytes: z.int().meta({ description: 'Of the whole database, indexes included.' }),
    }),
    schema_version: z.int().meta({ description: 'The number of the last migration.' }),
    started_at: timestamp.meta({ description: 'When the process that answers started.' }),
    processes: z
      .array(
        z.object({
          id: z.string(),
          host: z.string().meta({ description: 'The name of the machine or container.' }),
          role: z.enum(['all', 'api', 'dispatcher']),
          version: z.string(),
          started_at: timestamp,
          last_seen_at: timestamp.meta({
            description: 'Each process renews it about every second.',
          }),
        }),
      )
      .meta({ description: 'All processes on this database that were seen within a minute, oldest first.' }),
    partitions: z
      .array(
        z.object({
          table: z.enum(['event', 'delivery', 'attempt', 'email', 'email_recipient']),
          day: z.iso.date().meta({ description: 'In UTC.' }),
          size_bytes: z.int().meta({ description: 'Indexes included.' }),
          rows_estimate: z
            .int()
            .nullable()
            .meta({ description: 'As the database estimated it last; null: it has not yet.' }),
        }),
      )
      .meta({ description: 'The days that are kept, newest first.' }),
    retention_days: z.number(),
    maintenance,
    settings: z
      .array(
        z.object({
          name: z.string(),
          value: z
            .string()
            .meta({ description: 'In force in the process that answers; secrets read `***`.' }),
          source: z.enum(['default', 'environment', 'file']),
        }),
      )
      .meta({ description: 'As docs/configuration.md lists them.' }),
  })
  .meta({ id: 'System' })

const perSecond = z.number()

/** How the installation fares right now. */
export const systemHealth = z
  .object({
    accepted_per_second: perSecond.meta({ description: 'Events, on average of the last minute.' }),
    delivered_per_second: perSecond.meta({ description: 'Attempts that were acknowledged, likewise.' }),
    failed_per_second: perSecond.meta({ description: 'Attempts that were not, likewise.' }),
    in_flight: z.int().meta({ description: 'Attempts under way.' }),
    held: z.int().meta({ description: 'Deliveries taken and not started yet.' }),
    unsettled: z.int().meta({ description: 'Results of attempts that are not written yet.' }),
    waiting: z
      .int()
      .meta({ description: 'Deliveries that are not finished, in the database; above 100,000 an estimate.' }),
    oldest_due_seconds: z
      .number()
      .meta({ description: 'Age of the oldest delivery of an enabled endpoint that is due.' }),
    database_ms: z.number().meta({ description: 'One round trip to the database, just now.' }),
    clock_skew_ms: z
      .number()
      .meta({ description: 'The clock of the process that answers, ahead of the database’s.' }),
    maintenance,
    disabled_endpoints: z.int().meta({ description: 'Those that their owners paused included.' }),
    failing_endpoints: z
      .int()
      .meta({ description: 'Enabled, and nothing has succeeded since an attempt failed.' }),
    worst: z
      .array(
        z.object({
          account_id: z.string(),
          account_name: z.string(),
          webhook_id: z.string(),
          url_host: z.string(),
          state: z.enum(['failing', 'disabled']),
          failing_since: timestamp.nullable(),
          waiting: z.int().meta({ description: 'At most 10,000.' }),
          last_error_code: z.string().nullable(),
        }),
      )
      .meta({
        description: 'At most ten that fail, or that we disabled because they did, longest first.',
      }),
  })
  .meta({
    id: 'SystemHealth',
    description:
      'Rates and loads are of all processes: this one as of now, others as they said within the last five seconds.',
  })

export type System = z.infer<typeof system>
export type SystemHealth = z.infer<typeof systemHealth>
export type Maintenance = z.infer<typeof maintenance>

/** That the operator has looked at the database's clock. */
export const clockConfirmation = z
  .object({ confirmed_at: timestamp.meta({ description: 'By the database’s clock.' }) })
  .meta({ id: 'ClockConfirmation' })

export type ClockConfirmation = z.infer<typeof clockConfirmation>
