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
      description: 'Counted at the start; what changed meanwhile is taken into account at the end.',
    }),
    done: z.int(),
    delivered: ofQueued.meta({
      description:
        'Of what it queued: delivered by now. What was delivered before stays so, even if sending it again fails.',
    }),
    failed_again: ofQueued.meta({
      description: 'Of what it queued: failed at least once since, or given up; retries may deliver it yet.',
    }),
    pending: ofQueued.meta({ description: 'Of what it queued: not sent yet.' }),
    seconds_left: z.number().nullable().meta({
      description:
        'Until the rest is queued, at the pace of the endpoint, older replays of it first. Null unless it goes on.',
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
  webhook_id: id('wh').optional().meta({ description: 'All endpoints of the account when omitted.' }),
})

/** What a replay would do. */
export const replayDryRun = z
  .object({
    dry_run: z.literal(true),
    count: z.int(),
    first: timestamp.nullable().meta({ description: '`created_at` of the oldest of them.' }),
    last: timestamp.nullable().meta({ description: '`created_at` of the newest of them.' }),
    estimated_seconds: z.int(),
  })
  .meta({ id: 'ReplayDryRun' })

export const replayCreate = z
  .strictObject({
    since: timestampInput.meta({ description: 'Inclusive, on `created_at`.' }),
    until: timestampInput.optional().meta({ description: 'Exclusive, on `created_at`; now when omitted.' }),
    states: states
      .min(1)
      .transform(chosen => [...new Set(chosen)])
      .optional()
      .meta({ description: '`failed` and `exhausted` when omitted.' }),
    types: types
      .min(1)
      .transform(chosen => [...new Set(chosen)])
      .optional()
      .meta({ description: 'Those that the endpoint subscribes to when omitted.' }),
    dry_run: z.boolean().optional().meta({ description: 'Only count.' }),
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
