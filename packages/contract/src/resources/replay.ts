import * as z from 'zod'
import { eventTypes } from '../event-type.ts'
import { id } from '../ids.ts'
import { pageOf, pageQuery } from '../page.ts'
import { replayStates } from '../replay-state.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

const states = z.array(z.enum(replayStates))
const types = z.array(z.enum(eventTypes))

/** Final once nothing is pending. Until then it is null above 100,000, and it stays null for very old replays. */
const ofQueued = z.int().nullable()

/** A job that sends deliveries of an endpoint again, a few at a time. */
export const replay = z
  .object({
    id: id('rpl'),
    webhook_id: id('wh'),
    state: z.enum(['running', 'done', 'cancelled']),
    total: z.int().meta({
      description:
        'How many deliveries the replay sends. Posthorn counts them at the start and corrects the number at the end.',
    }),
    done: z.int().meta({ description: 'How many deliveries are queued so far.' }),
    delivered: ofQueued.meta({
      description:
        'How many queued deliveries are delivered. A delivery that was delivered before keeps its state even if it fails now.',
    }),
    failed_again: ofQueued.meta({
      description:
        'How many queued deliveries have failed since they were queued. Retries may still deliver them.',
    }),
    pending: ofQueued.meta({ description: 'How many queued deliveries Posthorn has not sent yet.' }),
    seconds_left: z.number().nullable().meta({
      description:
        'Seconds until all deliveries are queued, including those of older replays of the endpoint. Null if the replay is not running.',
    }),
    since: timestamp,
    until: timestamp,
    states,
    types,
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Replay' })

export const replayPage = pageOf(replay).meta({ id: 'ReplayPage' })

export const replayQuery = pageQuery.extend({
  webhook_id: id('wh').optional().meta({ description: 'Defaults to all endpoints of the account.' }),
})

/** The result of a dry run. */
export const replayDryRun = z
  .object({
    dry_run: z.literal(true),
    count: z.int().meta({ description: 'How many deliveries the replay would send.' }),
    first: timestamp.nullable().meta({ description: '`created_at` of the oldest delivery.' }),
    last: timestamp.nullable().meta({ description: '`created_at` of the newest delivery.' }),
    estimated_seconds: z.int().meta({ description: 'How long the replay would take.' }),
  })
  .meta({ id: 'ReplayDryRun' })

export const replayCreate = z
  .strictObject({
    since: timestampInput.meta({ description: 'Inclusive, on `created_at`.' }),
    until: timestampInput.optional().meta({ description: 'Exclusive, on `created_at`. Defaults to now.' }),
    states: states
      .min(1)
      .transform(chosen => [...new Set(chosen)])
      .optional()
      .meta({ description: 'Defaults to `failed` and `exhausted`.' }),
    types: types
      .min(1)
      .transform(chosen => [...new Set(chosen)])
      .optional()
      .meta({ description: 'Defaults to the types that the endpoint subscribes to.' }),
    dry_run: z
      .boolean()
      .optional()
      .meta({ description: 'Set this to true to count the deliveries and send nothing.' }),
  })
  .refine(({ since, until }) => until === undefined || Date.parse(since) < Date.parse(until), {
    path: ['until'],
    error: 'must be later than since',
  })
  .meta({ id: 'ReplayCreate' })

export type Replay = z.infer<typeof replay>
export type ReplayQuery = z.output<typeof replayQuery>
export type ReplayDryRun = z.infer<typeof replayDryRun>
export type ReplayCreate = z.output<typeof replayCreate>
