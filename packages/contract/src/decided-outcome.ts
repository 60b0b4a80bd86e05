import * as z from 'zod'
import { emailBouncedInput } from './events/email-bounced.ts'
import { emailDeliveredInput } from './events/email-delivered.ts'
import { emailFailedInput } from './events/email-failed.ts'
import { emailUnsubscribedInput } from './events/email-unsubscribed.ts'
import type { DefaultEventType } from './event-type.ts'
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

/** The result of a report: the events that it created, and the outcomes that were ignored, with reasons. */
export const outcomesAccepted = z
  .object({
    accepted: z.int().meta({ description: 'How many events the report created.' }),
    events: z
      .array(id('evt'))
      .meta({ description: 'The ids of the new events, in the order of the report.' }),
    ignored: z.array(
      z.object({
        index: z.int().meta({ description: 'The position in the report, from 0.' }),
        reason: z.enum(['temporary', 'duplicate', 'superseded', 'not_an_outcome']).meta({
          description:
            '`temporary`: the mail server still retries. `duplicate`: the `outcome_id` was already reported. `superseded`: the recipient already has a final outcome. `not_an_outcome`: not a final result.',
        }),
        event_id: id('evt').optional().meta({ description: 'If `duplicate`: the id of the first event.' }),
      }),
    ),
  })
  .meta({ id: 'OutcomesAccepted' })

export type DecidedOutcomeInput = z.output<typeof decidedOutcome>
export type OutcomesAccepted = z.infer<typeof outcomesAccepted>

function outcomeOf<Type extends DefaultEventType, Data extends z.ZodType>(type: Type, data: Data) {
  return z.strictObject({
    account_id: id('acct')
      .optional()
      .meta({ description: 'Required for the operator. Omit it if you use an API key.' }),
    type: z.literal(type),
    data,
    occurred_at: timestampInput
      .optional()
      .meta({ description: 'Sets `data.occurred_at`. Defaults to the time of the report.' }),
    outcome_id: line(255).optional().meta({
      description: 'An id that you choose. Posthorn ignores another outcome of the account with the same id.',
    }),
  })
}
