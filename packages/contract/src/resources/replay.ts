import * as z from 'zod'
import { eventTypes } from '../event-type.ts'
import { id } from '../ids.ts'
import { pageOf, pageQuery } from '../page.ts'
import { replayStates } from '../replay-state.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

const states = z.array(z.enum(replayStates))
const types = z.array(z.enum(eventTypes))

/** As it stands now; frozen once nothing of it waits. Null of replays that are too old to tell, and above 100,000 until then. */
const ofQueued = z.int().nullable()

/** A job that sends deliveries of an endpoint again, a few at a time. */
export const replay = z
  .object({
    id: id('rpl'),
    webhook_id: id('wh'),
    state: z.enum(['running', 'done', 'cancelled']),
    total: z.int().meta({
      description: 'Counted at the start and corrected at the end.',
    }),
    done: z.int(),
    delivered: ofQueued.meta({
      description:
        'How many queued deliveries are delivered now. A delivery that was delivered before keeps that state even if the replay fails.',
    }),
    failed_again: ofQueued.meta({
      description:
        'How many queued deliveries have failed at least once since, or were given up. Retries may still deliver them.',
    }),
    pending: ofQueued.meta({ description: 'How many queued deliveries are not sent yet.' }),
    seconds_left: z.number().nullable().meta({
      description:
        'Seconds until the rest is queued, after older replays of the endpoint. Null if the replay is not running.',
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
  webhook_id: id('wh').optional().meta({ description: 'All endpoints of the account if omitted.' }),
})

/** What a replay would do. */
export const replayDryRun = z
  .object({
    dry_run: z.literal(true),
    count: z.int(),
    first: timestamp.nullable().meta({ description: '`created_at` of the oldest delivery.' }),
    last: timestamp.nullable().meta({ description: '`created_at` of the newest delivery.' }),
    estimated_seconds: z.int(),
  })
  .meta({ id: 'ReplayDryRun' })

export const replayCreate = z
  .strictObject({
    since: timestampInput.meta({ description: 'Inclusive, on `created_at`.' }),
    until: timestampInput.optional().meta({ description: 'Exclusive, on `created_at`; now if omitted.' }),
    states: states
      .min(1)
      .transform(chosen => [...new Set(chosen)])
      .optional()
      .meta({ description: '`failed` and `exhausted` if omitted.' }),
    types: types
      .min(1)
      .transform(chosen => [...new Set(chosen)])
      .optional()
      .meta({ description: 'If omitted, the types that the endpoint subscribes to.' }),
    dry_run: z.boolean().optional().meta({ description: 'Count the deliveries and send nothing.' }),
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
