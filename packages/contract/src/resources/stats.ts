import * as z from 'zod'
import { id } from '../ids.ts'
import { statsSteps, type StatsStep } from '../stats-step.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

const bucketNames = Object.keys(statsSteps) as [StatsStep, ...StatsStep[]]

const latency = z.number().nullable()

/** What attempts came to. */
const statsCounts = z.object({
  delivered: z.int().meta({ description: 'Attempts that were acknowledged.' }),
  failed: z.int().meta({ description: 'Attempts that were not.' }),
  exhausted: z.int().meta({
    description:
      'Deliveries that were given up, but for those whose endpoint was deleted or whose recipient was erased.',
  }),
  by_error: z.record(z.string(), z.int()).meta({ description: 'The failed ones by `error.code`.' }),
  p50_ms: latency.meta({ description: 'Half of all attempts took no longer; null when there were none.' }),
  p95_ms: latency,
  p99_ms: latency,
})

/** What the attempts that started within one stretch of time came to. */
export const statsPoint = z
  .object({
    at: timestamp.meta({ description: 'The beginning of the stretch, in UTC.' }),
    ...statsCounts.shape,
  })
  .meta({ id: 'StatsPoint' })

export const stats = z
  .object({
    since: timestamp.meta({ description: 'The beginning of the first point.' }),
    until: timestamp.meta({ description: 'What is counted was before this; the last point may end later.' }),
    bucket: z.enum(bucketNames),
    recorded_since: timestamp
      .nullable()
      .meta({ description: 'When the first number there is was counted; null when there is none.' }),
    total: statsCounts.meta({
      id: 'StatsTotal',
      description:
        'All points together; percentiles are of all attempts, which those of the points do not tell.',
    }),
    data: z.array(statsPoint),
  })
  .meta({ id: 'Stats' })

export const statsQuery = z.strictObject({
  since: timestampInput.optional().meta({ description: 'Inclusive; a day before `until` when omitted.' }),
  until: timestampInput.optional().meta({ description: 'Exclusive; now when omitted.' }),
  webhook_id: id('wh').optional().meta({ description: 'All endpoints of the account when omitted.' }),
  bucket: z.enum(bucketNames).optional().meta({
    description:
      '`1h` when omitted. Minutes are kept for a day, then quarters of an hour for eight days, then six hours.',
  }),
})

export type Stats = z.infer<typeof stats>
export type StatsPoint = z.infer<typeof statsPoint>
export type StatsCounts = z.infer<typeof statsCounts>
export type StatsQuery = z.output<typeof statsQuery>
