import * as z from 'zod'
import { id } from '../ids.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

const latency = z.number().nullable()

/** What the attempts that started within one stretch of time came to. */
export const statsPoint = z
  .object({
    at: timestamp.meta({ description: 'The beginning of the stretch, in UTC.' }),
    delivered: z.int().meta({ description: 'Attempts that were acknowledged.' }),
    failed: z.int().meta({ description: 'Attempts that were not.' }),
    by_error: z.record(z.string(), z.int()).meta({ description: 'The failed ones by `error.code`.' }),
    p50_ms: latency.meta({ description: 'Half of all attempts took no longer; null when there were none.' }),
    p95_ms: latency,
    p99_ms: latency,
  })
  .meta({ id: 'StatsPoint' })

export const stats = z.object({ data: z.array(statsPoint) }).meta({ id: 'Stats' })

export const statsQuery = z.strictObject({
  since: timestampInput.optional().meta({ description: 'Inclusive; a day before `until` when omitted.' }),
  until: timestampInput.optional().meta({ description: 'Exclusive; now when omitted.' }),
  webhook_id: id('wh').optional().meta({ description: 'All endpoints of the account when omitted.' }),
  step: z.enum(['1m', '15m', '1h', '6h', '1d']).optional().meta({
    description:
      '`1h` when omitted. Minutes are kept for a day, then quarters of an hour for a week, then six hours.',
  }),
})

export type Stats = z.infer<typeof stats>
export type StatsPoint = z.infer<typeof statsPoint>
export type StatsQuery = z.output<typeof statsQuery>
