import * as z from 'zod'
import { attempts, described, emailAddress, emailId, remoteMta, reportingMta } from './events/common.ts'
import { failureStages } from './events/failure.ts'
import { id } from './ids.ts'
import { line } from './text.ts'
import { timestampInput } from './timestamp.ts'

const dispositions = [
  'accepted',
  'temporary',
  'permanent',
  'expired',
  'suppressed',
  'cancelled',
  'signing_error',
  'complaint',
  'unsubscribe',
] as const

/** What a mail system observed for one recipient. Posthorn decides which event it becomes, if any. */
export const rawOutcome = z
  .strictObject({
    account_id: id('acct')
      .optional()
      .meta({ description: 'Required for the operator. Omit it if you use an API key.' }),
    outcome_id: line(255).optional().meta({
      description: 'An id that you choose. Posthorn ignores another outcome of the account with the same id.',
    }),
    email_id: emailId,
    recipient: emailAddress,
    disposition: z.enum(dispositions).optional().meta({
      description:
        '`temporary`: the mail server still retries. `expired`: it gave up. Defaults to the class of the reply.',
    }),
    stage: z.enum(failureStages).optional().meta({ description: 'The step at which it happened.' }),
    reply: z
      .strictObject({
        code: z.int().min(200).max(599).optional(),
        enhanced_code: z
          .string()
          .regex(/^[245]\.\d{1,3}\.\d{1,3}$/, 'must be an enhanced status code such as 5.1.1')
          .optional(),
        text: z
          .string()
          .max(65_536)
          .optional()
          .meta({ description: 'The text of the reply. It may repeat the codes.' }),
      })
      .optional(),
    remote_mta: z.strictObject(remoteMta).optional(),
    reporting_mta: reportingMta,
    occurred_at: timestampInput.optional().meta({ description: 'Defaults to the time of the report.' }),
    attempts,
    timing: z.enum(['synchronous', 'asynchronous']).optional(),
    ...described,
  })
  .meta({ id: 'RawOutcome' })

export type RawOutcomeInput = z.output<typeof rawOutcome>
