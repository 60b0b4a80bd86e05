import * as z from 'zod'
import { mailSourceKinds } from '../mail-source-kind.ts'
import { wholeNumber } from '../page.ts'
import { timestamp } from '../timestamp.ts'
import { providerSource } from './provider-source.ts'

/** Whether maintenance runs: it deletes old data, disables failing endpoints, and so on. */
export const maintenance = z
  .object({
    state: z.enum(['running', 'stopped']),
    reason: z.enum(['clocks_differ', 'clock_behind', 'clock_jumped']).nullable().meta({
      description:
        'Why maintenance is stopped. `clocks_differ`: the clocks of this process and the database are more than a minute apart. `clock_behind`, `clock_jumped`: the database clock is behind `last_trusted_at` or too far ahead of it. If the clock is right, confirm it.',
    }),
    database_clock: timestamp.meta({ description: 'The current time of the database clock.' }),
    last_trusted_at: timestamp.meta({
      description: 'The latest time of the database clock that maintenance trusted.',
    }),
  })
  .meta({ id: 'Maintenance', description: 'The maintenance state in the process that answers this request.' })

/** Which shard an operation is about. Only a front has several. */
export const shardQuery = z.strictObject({
  shard: wholeNumber({ min: 0, max: 999 }).optional().meta({
    type: 'integer',
    minimum: 0,
    maximum: 999,
    description: 'The number of a shard. Only for installations with several shards, through a front.',
  }),
})

/** A shard, as a front sees it. */
const shard = z.object({
  number: z.int(),
  state: z.enum(['up', 'down']),
  problem: z.string().nullable().meta({ description: 'Why the shard is down. Null if it is up.' }),
})

/** The installation, for its operator. */
export const system = z
  .object({
    version: z
      .string()
      .meta({ description: 'The version of Posthorn in the process that answers this request.' }),
    node_version: z.string().meta({ description: 'The version of Node.js in that process.' }),
    database: z.object({
      kind: z.enum(['embedded', 'postgresql']),
      version: z
        .string()
        .meta({ description: 'The version of PostgreSQL. The embedded database is PostgreSQL too.' }),
      size_bytes: z.int().meta({ description: 'The size of the whole database, including indexes.' }),
    }),
    schema_version: z.int().meta({ description: 'The number of the last migration.' }),
    started_at: timestamp.meta({ description: 'When the process that answers this request started.' }),
    processes: z
      .array(
        z.object({
          id: z.string(),
          host: z.string().meta({ description: 'The name of the machine or container.' }),
          role: z.enum(['all', 'api', 'dispatcher']),
          version: z.string(),
          started_at: timestamp,
          last_seen_at: timestamp.meta({
            description: 'Each process updates it about every second.',
          }),
        }),
      )
      .meta({
        description: 'All processes on this database that were active in the last minute, oldest first.',
      }),
    partitions: z
      .array(
        z.object({
          table: z.enum(['event', 'delivery', 'attempt', 'email', 'email_recipient']),
          day: z.iso.date().meta({ description: 'In UTC.' }),
          is_empty: z.boolean().meta({ description: 'Whether it never had a row.' }),
          size_bytes: z.int().meta({ description: 'Including indexes.' }),
          rows_estimate: z
            .int()
            .nullable()
            .meta({ description: 'The latest estimate by the database. Null if there is none yet.' }),
        }),
      )
      .meta({ description: 'The daily partitions that Posthorn keeps, newest first.' }),
    mail_sources: z
      .array(
        z.object({
          kind: z.enum(mailSourceKinds).meta({
            description:
              '`postfix`, `exim`, `lines`: log lines by `posthorn ingest`. `kumomta`: the log hook. `message`, `imap`: messages over HTTP or from a mailbox. `smtp`: messages to the SMTP port.',
          }),
          last_at: timestamp.meta({
            description: 'The time of the last report, at most a minute too early.',
          }),
        }),
      )
      .meta({ description: 'The mail servers that have reported, those with the latest report first.' }),
    provider_sources: z
      .array(
        providerSource.extend({
          account_id: z.string(),
          account_name: z.string(),
        }),
      )
      .meta({
        description: 'Up to 250 mail providers that report outcomes, those with the latest report first.',
      }),
    retention_days: z.number(),
    maintenance,
    settings: z
      .array(
        z.object({
          name: z.string(),
          value: z.string().meta({
            description: 'The value in the process that answers this request. Secrets are shown as `***`.',
          }),
          source: z.enum(['default', 'environment', 'file']),
        }),
      )
      .meta({ description: 'The settings in force. docs/configuration.md describes them.' }),
    shard: z.int().optional().meta({
      description:
        'Only through a front: the number of the shard that the other fields describe. Defaults to the first shard that is up.',
    }),
    shards: z
      .array(
        shard.extend({
          version: z.string().nullable(),
          schema_version: z.int().nullable(),
          database_size_bytes: z.int().nullable(),
          process_count: z.int().nullable(),
        }),
      )
      .optional()
      .meta({ description: 'Only through a front: all shards. Values of a shard that is down are null.' }),
  })
  .meta({ id: 'System' })

const perSecond = z.number()

/** The emails that Posthorn has not handed over to the mail server yet. */
const mail = z.object({
  waiting: z
    .int()
    .meta({ description: 'Recipients whose email the mail server does not have yet; at most 100,000.' }),
  oldest_seconds: z.number().meta({ description: 'The age of the oldest of these emails; 0 without any.' }),
  last_reply: z.string().nullable().meta({
    description:
      'The last reply to the oldest email that the mail server did not take. Null if it refused none of them.',
  }),
  message: z.string().nullable().meta({
    description: 'How many emails wait, for how long and why, in a sentence. Null if nothing is wrong.',
  }),
  certificate_expires_at: timestamp.nullable().meta({
    description:
      "When the mail server's certificate expires. Null until the process that answers has sent email over TLS.",
  }),
})

/** The current health of the installation. */
export const systemHealth = z
  .object({
    accepted_per_second: perSecond.meta({ description: 'Events per second, averaged over the last minute.' }),
    delivered_per_second: perSecond.meta({
      description: 'Successful attempts per second, averaged over the last minute.',
    }),
    failed_per_second: perSecond.meta({
      description: 'Failed attempts per second, averaged over the last minute.',
    }),
    in_flight: z.int().meta({ description: 'Attempts in flight.' }),
    held: z.int().meta({ description: 'Deliveries that a process has claimed and not started.' }),
    unsettled: z.int().meta({ description: 'Results of attempts that are not stored yet.' }),
    waiting: z.int().meta({ description: 'Deliveries that are not finished. An estimate above 100,000.' }),
    oldest_due_seconds: z.number().meta({
      description:
        'For how long the oldest due delivery could have been sent. Deliveries of endpoints that fail, are disabled, are at their rate limit or their limit of attempts in flight, or drain a backlog do not count.',
    }),
    mail: mail.meta({ description: 'The emails that wait for the mail server.' }),
    database_ms: z.number().meta({ description: 'The duration of one round trip to the database.' }),
    clock_skew_ms: z
      .number()
      .meta({ description: 'How far the clock of this process is ahead of the database clock.' }),
    maintenance,
    disabled_endpoints: z
      .int()
      .meta({ description: 'Disabled endpoints, including those that their owners disabled.' }),
    failing_endpoints: z.int().meta({ description: 'Enabled endpoints whose latest attempts all failed.' }),
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
        description:
          'Up to ten endpoints that fail, or that Posthorn disabled because they failed, longest first.',
      }),
    shards: z
      .array(
        shard.extend({
          accepted_per_second: perSecond.nullable(),
          delivered_per_second: perSecond.nullable(),
          waiting: z.int().nullable(),
          oldest_due_seconds: z.number().nullable(),
          database_ms: z.number().nullable(),
        }),
      )
      .optional()
      .meta({
        description:
          'Only through a front: all shards. Values of a shard that is down are null, and the other fields do not include it.',
      }),
  })
  .meta({
    id: 'SystemHealth',
    description:
      'Rates and loads include all processes. Values of other processes are up to five seconds old.',
  })

export type System = z.infer<typeof system>
export type SystemHealth = z.infer<typeof systemHealth>
export type Maintenance = z.infer<typeof maintenance>

/** The operator has confirmed the database clock. */
export const clockConfirmation = z
  .object({ confirmed_at: timestamp.meta({ description: 'By the database clock.' }) })
  .meta({ id: 'ClockConfirmation' })

export type ClockConfirmation = z.infer<typeof clockConfirmation>
