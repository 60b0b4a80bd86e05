import * as z from 'zod'
import { timestamp } from '../timestamp.ts'

const recipients = z.int()

const counts = {
  delivered: recipients.meta({ description: 'Recipients whose mail server accepted the email.' }),
  bounced: recipients.meta({
    description:
      'Recipients whose address failed permanently. The bounce rate is `bounced / (delivered + bounced + failed)`.',
  }),
  failed: recipients.meta({ description: 'Recipients that the email did not reach for another reason.' }),
  unsubscribed: recipients.meta({
    description: 'Recipients who unsubscribed, or reported the email as spam.',
  }),
  complaints: recipients.meta({
    description:
      'Those of `unsubscribed` who reported the email as spam. The complaint rate is `complaints / delivered`.',
  }),
}

/** How many recipients had each outcome. */
export const outcomeCounts = z.object(counts).meta({
  id: 'OutcomeCounts',
  description: 'How many recipients had each outcome, by the time of the event.',
})

const byReason = z.record(z.string(), recipients)

/** The outcomes of an account in a time range. */
export const outcomeStats = z
  .object({
    total: outcomeCounts,
    bounced_by_category: byReason.meta({ description: 'Bounces by `bounce.category`.' }),
    failed_by_reason: byReason.meta({ description: 'Failures by `failure.reason`.' }),
    unsubscribed_by_source: byReason.meta({ description: 'Unsubscribes by `unsubscribe.source`.' }),
    domains: z
      .array(
        z.object({
          domain: z
            .string()
            .nullable()
            .meta({ description: 'The domain of the recipients. Null: all others.' }),
          ...counts,
        }),
      )
      .meta({
        description:
          'The 20 domains with the most outcomes, largest first, then the sum of all others. Posthorn names at most 100 domains of an account in each interval, and none after the retention period.',
      }),
    recorded_since: timestamp.nullable().meta({
      description: 'The time of the oldest outcome counts that Posthorn keeps. Null if there are none.',
    }),
  })
  .meta({ id: 'OutcomeStats' })

const limits = z.object({
  warning: z.number().meta({ description: 'A rate above this needs attention.' }),
  risk: z.number().meta({ description: 'A rate above this endangers the delivery of emails.' }),
})

/** From which rates the operator warns. */
export const rateThresholds = z
  .object({ bounce_rate: limits, complaint_rate: limits })
  .meta({ id: 'RateThresholds', description: 'The operator’s limits for rates, as fractions: 0.02 is 2%.' })

export type OutcomeCounts = z.infer<typeof outcomeCounts>
export type OutcomeStats = z.infer<typeof outcomeStats>
export type RateThresholds = z.infer<typeof rateThresholds>
