import * as z from 'zod'
import { emailId } from '../events/common.ts'
import { id } from '../ids.ts'
import { line } from '../text.ts'
import { timestampInput } from '../timestamp.ts'

/** Why what a mail server reported makes no event. */
export const ignoredReportReasons = [
  'temporary',
  'duplicate',
  'superseded',
  'not_an_outcome',
  'unverified',
  'foreign',
  'other_recipient',
  'not_a_report',
  'malformed',
] as const

/** What became of the reports of a mail server: `events` are the ids of those it made, the rest is ignored. */
export const sourceAccepted = z
  .object({
    accepted: z.int(),
    events: z.array(id('evt')).meta({ description: 'In the order of the reports.' }),
    ignored: z.array(
      z.object({
        index: z.int(),
        reason: z.enum(ignoredReportReasons).meta({
          description:
            '`temporary`: still tried. `duplicate`, `superseded`: told before. `not_an_outcome`: says nothing about an end. `unverified`: no return path of an email that is kept. `foreign`: not sent by Posthorn, and not named. `other_recipient`: about an address to which the email was not sent. `not_a_report`: an auto-reply, a read receipt or any other mail, except one to an unsubscribe address. `malformed`: cannot be read.',
        }),
        event_id: id('evt').optional().meta({ description: 'Of a duplicate: the first event.' }),
      }),
    ),
  })
  .meta({ id: 'SourceAccepted' })

/** What one line of Postfix's log says of one recipient, with what earlier lines said of its mail. */
export const postfixRecord = z
  .strictObject({
    line_id: line(128).meta({
      description: 'Names the line and recipient: told again, it makes no second event.',
    }),
    return_path: z.string().max(1_000).optional().meta({ description: 'The envelope’s sender.' }),
    message_id: z.string().max(998).optional(),
    account_id: id('acct').optional().meta({ description: 'Of an email that Posthorn did not send.' }),
    email_id: emailId.optional().meta({
      description: 'Names an email that Posthorn did not send. Not looked at when the return path is ours.',
    }),
    recipient: z.string().min(1).max(1_000),
    original_recipient: z.string().max(1_000).optional().meta({ description: '`orig_to`.' }),
    disposition: z.enum(['accepted', 'permanent', 'expired', 'cancelled']),
    status: z
      .string()
      .regex(/^[245]\.\d{1,3}\.\d{1,3}$/, 'must be an enhanced status code such as 5.1.1')
      .optional()
      .meta({ description: '`dsn`.' }),
    reply: z.string().max(65_536).meta({ description: 'What stands in the brackets.' }),
    relay: z.string().max(400).optional(),
    per_recipient: z
      .boolean()
      .optional()
      .meta({ description: 'The reply cannot be about another recipient: LMTP.' }),
    attempts: z.int().min(1).max(1_000_000).optional(),
    occurred_at: timestampInput,
  })
  .meta({ id: 'PostfixRecord' })

export const postfixReport = z
  .strictObject({ records: z.array(postfixRecord).min(1).max(1_000) })
  .meta({ id: 'PostfixReport' })

export const kumomtaQuery = z.strictObject({
  account_id: id('acct')
    .optional()
    .meta({ description: 'Whose emails they are that Posthorn did not send. Only from the operator.' }),
  email_id: z
    .enum(['message_id'])
    .optional()
    .meta({ description: 'Name emails that Posthorn did not send by their Message-ID.' }),
})

export const messageQuery = z.strictObject({
  recipient: z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: 'The envelope’s recipient. Omitted: it is looked for in the message.' }),
})

export type PostfixRecord = z.output<typeof postfixRecord>
export type SourceAccepted = z.infer<typeof sourceAccepted>
export type IgnoredReportReason = (typeof ignoredReportReasons)[number]
