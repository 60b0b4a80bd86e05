import * as z from 'zod'
import { emailBouncedInput } from './events/email-bounced.ts'
import { emailDeliveredInput } from './events/email-delivered.ts'
import { emailFailedInput } from './events/email-failed.ts'
import { emailUnsubscribedInput } from './events/email-unsubscribed.ts'
import type { EventType } from './event-type.ts'
import { id } from './ids.ts'
import { rawOutcome } from './raw-outcome.ts'
import { line } from './text.ts'
import { timestampInput } from './timestamp.ts'

/** An outcome whose event type the reporter has decided. `{email_id, to}` is enough for `data`. */
export const decidedOutcome = z
  .discriminatedUnion('type', [
    outcomeOf('email.delivered', emailDeliveredInput).meta({ id: 'EmailDeliveredOutcome' }),
    outcomeOf('email.bounced', emailBouncedInput).meta({ id: 'EmailBouncedOutcome' }),
    outcomeOf('email.failed', emailFailedInput).meta({ id: 'EmailFailedOutcome' }),
    outcomeOf('email.unsubscribed', emailUnsubscribedInput).meta({ id: 'EmailUnsubscribedOutcome' }),
  ])
  .meta({ id: 'DecidedOutcome' })

/** One outcome: decided by the reporter, or raw. */
export const reportedOutcome = z.union([decidedOutcome, rawOutcome]).meta({ id: 'ReportedOutcome' })

/** One outcome, or up to a thousand. */
export const outcomeReport = z
  .union([reportedOutcome, z.array(reportedOutcome).min(1).max(1000)])
  .meta({ id: 'OutcomeReport' })

/** What became of a report: `accepted` events were made, `events` are their ids, the rest is ignored with a reason. */
export const outcomesAccepted = z
  .object({
    accepted: z.int(),
    events: z.array(id('evt')).meta({ description: 'In the order of the report.' }),
    ignored: z.array(
      z.object({
        index: z.int(),
        reason: z.enum(['temporary', 'duplicate', 'superseded', 'not_an_outcome']),
        event_id: id('evt').optional().meta({ description: 'For a duplicate: the id of the first event.' }),
      }),
    ),
  })
  .meta({ id: 'OutcomesAccepted' })

export type DecidedOutcomeInput = z.output<typeof decidedOutcome>
export type OutcomesAccepted = z.infer<typeof outcomesAccepted>

function outcomeOf<Type extends EventType, Data extends z.ZodType>(type: Type, data: Data) {
  return z.strictObject({
    account_id: id('acct')
      .optional()
      .meta({ description: 'Required if the operator calls; leave it out with an API key.' }),
    type: z.literal(type),
    data,
    occurred_at: timestampInput
      .optional()
      .meta({ description: 'Sets `data.occurred_at`. If omitted, the time of the report is used.' }),
    outcome_id: line(255).optional().meta({
      description: 'An id of your choice. Posthorn ignores a second outcome of the account with the same id.',
    }),
  })
}
