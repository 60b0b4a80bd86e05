import * as z from 'zod'
import { emailId } from '../events/common.ts'
import { id } from '../ids.ts'
import { line } from '../text.ts'
import { timestampInput } from '../timestamp.ts'

/** Why a report of a mail server creates no event. */
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

/** The result of a mail server's reports: the events that they created, and the reports that were ignored. */
export const sourceAccepted = z
  .object({
    accepted: z.int(),
    events: z
      .array(id('evt'))
      .meta({ description: 'The ids of the new events, in the order of the reports.' }),
    ignored: z.array(
      z.object({
        index: z.int(),
        reason: z.enum(ignoredReportReasons).meta({
          description:
            '`temporary`: the mail server still retries. `duplicate`, `superseded`: reported before. `not_an_outcome`: not a final result. `unverified`: the return path has no valid token of a stored email. `foreign`: Posthorn did not send the email, and no `email_id` names it. `other_recipient`: the email was not sent to this address. `not_a_report`: an auto-reply, a read receipt or another message. `malformed`: unreadable.',
        }),
        event_id: id('evt').optional().meta({ description: 'If `duplicate`: the id of the first event.' }),
      }),
    ),
  })
  .meta({ id: 'SourceAccepted' })

/** The result for one recipient from a line of a mail server's log, with details from earlier lines about the same email. */
export const postfixRecord = z
  .strictObject({
    source: z
      .enum(['postfix', 'exim', 'lines'])
      .optional()
      .meta({ description: 'Which command of `posthorn ingest` read the line. Default: `postfix`.' }),
    line_id: line(128).meta({
      description:
        'An id of the log line and recipient. Posthorn ignores a record with an id that it has already seen.',
    }),
    return_path: z.string().max(1_000).optional().meta({ description: 'The envelope sender.' }),
    message_id: z.string().max(998).optional(),
    account_id: id('acct')
      .optional()
      .meta({ description: 'The account of an email that Posthorn did not send.' }),
    email_id: emailId.optional().meta({
      description:
        'The id of an email that Posthorn did not send. Ignored if the return path belongs to Posthorn.',
    }),
    recipient: z.string().min(1).max(1_000),
    original_recipient: z
      .string()
      .max(1_000)
      .optional()
      .meta({ description: 'The recipient before aliases, if the log has it.' }),
    disposition: z
      .enum(['accepted', 'temporary', 'permanent', 'expired', 'cancelled'])
      .meta({ description: '`temporary`: the first time that the mail server could not deliver yet.' }),
    status: z
      .string()
      .regex(/^[245]\.\d{1,3}\.\d{1,3}$/, 'must be an enhanced status code such as 5.1.1')
      .optional()
      .meta({ description: 'The enhanced status code in the log.' }),
    reply: z.string().max(65_536).meta({ description: 'The reply, or the text of the mail server itself.' }),
    relay: z.string().max(400).optional(),
    per_recipient: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the reply is for this recipient alone, as with LMTP.' }),
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
    .meta({ description: 'Only for the operator. The account of emails that Posthorn did not send.' }),
  email_id: z
    .enum(['message_id'])
    .optional()
    .meta({ description: 'Uses the Message-ID as `email_id` of emails that Posthorn did not send.' }),
})

export const messageQuery = z.strictObject({
  recipient: z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: 'The envelope recipient. Defaults to the one that the message names.' }),
  source: z.enum(['imap']).optional().meta({ description: 'Set by `posthorn ingest imap`.' }),
})

export type PostfixRecord = z.output<typeof postfixRecord>
export type SourceAccepted = z.infer<typeof sourceAccepted>
export type IgnoredReportReason = (typeof ignoredReportReasons)[number]
