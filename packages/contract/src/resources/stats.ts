import * as z from 'zod'
import { id } from '../ids.ts'
import { statsSteps, type StatsStep } from '../stats-step.ts'
import { timestamp, timestampInput } from '../timestamp.ts'
import { outcomeCounts, outcomeStats, rateThresholds } from './outcome-stats.ts'

const bucketNames = Object.keys(statsSteps) as [StatsStep, ...StatsStep[]]

const latency = z.number().nullable()

/** The results of attempts. */
const statsCounts = z.object({
  delivered: z.int().meta({ description: 'Attempts that the receiver acknowledged.' }),
  failed: z.int().meta({ description: 'Attempts that failed.' }),
  exhausted: z.int().meta({
    description: 'Deliveries that Posthorn gave up. Deleted endpoints and erased recipients do not count.',
  }),
  by_error: z.record(z.string(), z.int()).meta({ description: 'Failed attempts by `error.code`.' }),
  p50_ms: latency.meta({
    description:
      'The median time of the attempts that the receiver answered, whatever the status. Null if it answered none.',
  }),
  p95_ms: latency,
  p99_ms: latency,
})

/** The results of the attempts that started in one interval, and the outcomes that Posthorn accepted in it. */
export const statsPoint = z
  .object({
    at: timestamp.meta({ description: 'The start of the interval, in UTC.' }),
    ...statsCounts.shape,
    outcomes: outcomeCounts.nullable().meta({ description: 'Null with `webhook_id`.' }),
  })
  .meta({ id: 'StatsPoint' })

export const stats = z
  .object({
    since: timestamp.meta({ description: 'The start of the first point.' }),
    until: timestamp.meta({ description: 'The end of the counted time. The last point may end later.' }),
    bucket: z.enum(bucketNames),
    recorded_since: timestamp.nullable().meta({
      description:
        'The time of the oldest attempt counts that Posthorn keeps. Null if there are none. Posthorn deletes statistics after `POSTHORN_STATS_DAYS` days, 400 by default.',
    }),
    total: statsCounts.meta({
      id: 'StatsTotal',
      description: 'The sum of all points. The percentiles cover all answered attempts.',
    }),
    outcomes: outcomeStats.nullable().meta({
      description:
        'The outcomes of all points. Null with `webhook_id`, because outcomes belong to no endpoint.',
    }),
    thresholds: rateThresholds,
    data: z.array(statsPoint),
  })
  .meta({ id: 'Stats' })

export const statsQuery = z.strictObject({
  since: timestampInput.optional().meta({ description: 'Inclusive. Defaults to a day before `until`.' }),
  until: timestampInput.optional().meta({ description: 'Exclusive. Defaults to now.' }),
  webhook_id: id('wh').optional().meta({ description: 'Defaults to all endpoints of the account.' }),
  bucket: z.enum(bucketNames).optional().meta({
    description:
      'The length of a point. Defaults to `1h`. Older counts have longer points. Attempts: a minute for a day, 15 minutes for eight days, then six hours. Outcomes: a minute for three hours, 15 minutes for two days, two hours for 15 days, then six hours.',
  }),
})

export type Stats = z.infer<typeof stats>
export type StatsPoint = z.infer<typeof statsPoint>
export type StatsCounts = z.infer<typeof statsCounts>
export type StatsQuery = z.output<typeof statsQuery>
