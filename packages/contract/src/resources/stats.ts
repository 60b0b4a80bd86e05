import * as z from 'zod'
import { id } from '../ids.ts'
import { statsSteps, type StatsStep } from '../stats-step.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

const bucketNames = Object.keys(statsSteps) as [StatsStep, ...StatsStep[]]

const latency = z.number().nullable()

/** What attempts came to. */
const statsCounts = z.object({
  delivered: z.int().meta({ description: 'Attempts that the receiver acknowledged.' }),
  failed: z.int().meta({ description: 'Attempts that failed.' }),
  exhausted: z.int().meta({
    description: 'Deliveries that Posthorn gave up, except those of deleted endpoints and erased recipients.',
  }),
  by_error: z.record(z.string(), z.int()).meta({ description: 'Failed attempts by `error.code`.' }),
  p50_ms: latency.meta({ description: 'The median latency. Null if there were no attempts.' }),
  p95_ms: latency,
  p99_ms: latency,
})

/** What the attempts that started within one stretch of time came to. */
export const statsPoint = z
  .object({
    at: timestamp.meta({ description: 'The start of the interval, in UTC.' }),
    ...statsCounts.shape,
  })
  .meta({ id: 'StatsPoint' })

export const stats = z
  .object({
    since: timestamp.meta({ description: 'The start of the first point.' }),
    until: timestamp.meta({ description: 'The end of the counted time. The last point may end later.' }),
    bucket: z.enum(bucketNames),
    recorded_since: timestamp
      .nullable()
      .meta({ description: 'When counting started. Null if nothing was counted yet.' }),
    total: statsCounts.meta({
      id: 'StatsTotal',
      description: 'All points together. Percentiles cover all attempts.',
    }),
    data: z.array(statsPoint),
  })
  .meta({ id: 'Stats' })

export const statsQuery = z.strictObject({
  since: timestampInput.optional().meta({ description: 'Inclusive; a day before `until` if omitted.' }),
  until: timestampInput.optional().meta({ description: 'Exclusive; now if omitted.' }),
  webhook_id: id('wh').optional().meta({ description: 'All endpoints of the account if omitted.' }),
  bucket: z.enum(bucketNames).optional().meta({
    description:
      'The length of a point; `1h` if omitted. Posthorn keeps minutes for a day, quarters of an hour for eight days, and six hours after that.',
  }),
})

export type Stats = z.infer<typeof stats>
export type StatsPoint = z.infer<typeof statsPoint>
export type StatsCounts = z.infer<typeof statsCounts>
export type StatsQuery = z.output<typeof statsQuery>
