import * as z from 'zod'
import { emailStates, recipientFields } from '../email-state.ts'
import { described, emailAddress, remoteMta } from '../events/common.ts'
import { id } from '../ids.ts'
import { anyOf, pageOf, pageQuery } from '../page.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

const state = z.enum(emailStates).meta({
  description:
    '`queued`: not yet taken by our mail server. `handed_over`: taken by it, which tries on its own. `delivered`: taken by the recipient’s mail server; a late bounce may follow. `bounced`, `failed`: final.',
})

const mailReply = z
  .object({
    code: z.int().nullable(),
    enhanced_code: z.string().nullable(),
    message: z.string(),
    command: z.string().optional().meta({ description: 'Which command was answered; `.` ends the message.' }),
    remote_mta: z.object(remoteMta).optional().meta({ description: 'Who said it.' }),
  })
  .meta({ id: 'MailReply' })

const emailRecipient = z
  .object({
    address: z.string(),
    field: z.enum(recipientFields),
    state,
    outcome_expected: z.boolean().meta({
      description:
        'Whether its state will still change if all goes well. False of one `handed_over` while no source reports deliveries (a Postfix log, KumoMTA’s webhook): then a hand-over is all that becomes known of it, unless it fails.',
    }),
    reply: mailReply.nullable().meta({
      description: 'The reply that decided the state; of one `queued`, why the last try did not do.',
    }),
    event_id: id('evt').nullable().meta({ description: 'The event that told of the state.' }),
    tries: z
      .int()
      .nullable()
      .meta({ description: 'Of one `queued`: how often it was offered to the mail server.' }),
    next_try_at: timestamp.nullable().meta({ description: 'Of one `queued`.' }),
    updated_at: timestamp,
  })
  .meta({ id: 'EmailRecipient' })

/** An email that Posthorn sends or has sent. What it said is forgotten once the mail server has it. */
export const email = z
  .object({
    id: id('em'),
    from: z.string(),
    to: z
      .array(z.string())
      .meta({ description: 'Addresses; of one that was erased, `erased@erased.invalid`.' }),
    cc: z.array(z.string()),
    bcc: z.array(z.string()),
    subject: z.string(),
    message_id: z.string().meta({ description: 'Without angle brackets; the same for all recipients.' }),
    tags: z.record(z.string(), z.string()),
    metadata: described.metadata.unwrap(),
    unsubscribe: z
      .object({
        list: z.string().nullable().meta({ description: 'Null: all mail sent with `unsubscribe`.' }),
      })
      .nullable(),
    states: z
      .object({
        queued: z.int(),
        handed_over: z.int(),
        delivered: z.int(),
        bounced: z.int(),
        failed: z.int(),
      })
      .meta({ description: 'How many recipients are in each state.' }),
    created_at: timestamp,
    erased_at: timestamp.nullable(),
    recipients: z.array(emailRecipient).optional().meta({ description: 'Only when asked for by id.' }),
  })
  .meta({ id: 'Email' })

export const emailPage = pageOf(email).meta({ id: 'EmailPage' })

export const emailQuery = pageQuery.extend({
  recipient: emailAddress.optional(),
  state: anyOf(emailStates)
    .optional()
    .meta({
      description: `Emails of which a recipient is in this state: one of \`${emailStates.join('`, `')}\`, or several separated by commas.`,
    }),
  since: timestampInput.optional().meta({ description: 'Inclusive, on `created_at`.' }),
  until: timestampInput.optional().meta({ description: 'Exclusive, on `created_at`.' }),
})

/** What `POST /v1/emails` answers: the email is stored, and this is its name in every event about it. */
export const emailAccepted = z
  .object({
    email_id: id('em'),
    created_at: timestamp,
  })
  .meta({ id: 'EmailAccepted' })

export type Email = z.infer<typeof email>
export type EmailRecipient = z.infer<typeof emailRecipient>
export type MailReply = z.infer<typeof mailReply>
export type EmailQuery = z.output<typeof emailQuery>
export type EmailAccepted = z.infer<typeof emailAccepted>
