import * as z from 'zod'
import { emailStates, recipientFields } from '../email-state.ts'
import { eventTypes } from '../event-type.ts'
import { described, emailAddress, remoteMta } from '../events/common.ts'
import { id } from '../ids.ts'
import { anyOf, pageOf, pageQuery } from '../page.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

const state = z.enum(emailStates).meta({
  description:
    '`queued`: waits for the operator’s mail server. `handed_over`: the operator’s mail server delivers it. `delivered`: the recipient’s mail server accepted it; a late bounce is possible. `bounced`, `failed`: final.',
})

const mailReply = z
  .object({
    code: z.int().nullable(),
    enhanced_code: z.string().nullable(),
    message: z.string(),
    command: z
      .string()
      .optional()
      .meta({ description: 'The SMTP command that the reply answers. `.` is the end of the message.' }),
    remote_mta: z.object(remoteMta).optional().meta({ description: 'The mail server that sent the reply.' }),
  })
  .meta({ id: 'MailReply' })

const emailRecipient = z
  .object({
    address: z.string(),
    field: z.enum(recipientFields),
    state,
    outcome_expected: z.boolean().meta({
      description:
        'Whether Posthorn expects another state. False for `handed_over` if no source, such as a Postfix log or the log hook of KumoMTA, reports deliveries.',
    }),
    reply: mailReply.nullable().meta({
      description: 'The reply that decided the state. If `queued`: the reply to the last try.',
    }),
    event_id: id('evt').nullable().meta({ description: 'The event that reported the state.' }),
    tries: z
      .int()
      .nullable()
      .meta({ description: 'If `queued`: how often Posthorn offered the email to the mail server.' }),
    next_try_at: timestamp.nullable().meta({
      description: 'If `queued`: when Posthorn tries again, never in the past. Null if it tries now.',
    }),
    updated_at: timestamp,
  })
  .meta({ id: 'EmailRecipient' })

const latestEvent = z
  .object({
    id: id('evt'),
    type: z.enum(eventTypes),
    reason: z.string().nullable().meta({
      description:
        'Why the email did not arrive: `bounce.category` or `failure.reason` of the event. Null for deliveries and after an erasure.',
    }),
    reply: mailReply.nullable().meta({ description: 'The reply that decided the state.' }),
  })
  .meta({ id: 'EmailLatestEvent' })

/** An email that Posthorn sends or has sent. Its content is deleted when the mail server has accepted it. */
export const email = z
  .object({
    id: id('em'),
    from: z.string(),
    to: z
      .array(z.string())
      .meta({ description: 'The addresses. An erased address is shown as `erased@erased.invalid`.' }),
    cc: z.array(z.string()),
    bcc: z.array(z.string()),
    subject: z.string(),
    message_id: z
      .string()
      .meta({ description: 'Without angle brackets. It is the same for all recipients.' }),
    tags: z.record(z.string(), z.string()),
    metadata: described.metadata.unwrap(),
    unsubscribe: z
      .object({
        list: z
          .string()
          .nullable()
          .meta({ description: 'Null stands for all emails sent with `unsubscribe`.' }),
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
    latest_event: latestEvent.nullable().meta({
      description:
        'The latest event of a recipient whose email bounced. If none bounced, of one whose email failed, else of one whose email was delivered. Null before the first event.',
    }),
    created_at: timestamp,
    erased_at: timestamp.nullable(),
    recipients: z.array(emailRecipient).optional().meta({ description: 'Only if you get a single email.' }),
  })
  .meta({ id: 'Email' })

export const emailPage = pageOf(email).meta({ id: 'EmailPage' })

export const emailQuery = pageQuery.extend({
  recipient: emailAddress.optional().meta({ description: 'Returns only emails to this recipient.' }),
  state: anyOf(emailStates)
    .optional()
    .meta({
      description: `Returns emails with a recipient in this state: one of \`${emailStates.join('`, `')}\`, or several separated by commas.`,
    }),
  since: timestampInput.optional().meta({ description: 'Inclusive, on `created_at`.' }),
  until: timestampInput.optional().meta({ description: 'Exclusive, on `created_at`.' }),
})

/** The response to `POST /v1/emails`. Every event about the email has this id. */
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
