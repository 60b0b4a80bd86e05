import * as z from 'zod'
import {
  commonData,
  commonInput,
  decidedBy,
  emailAddress,
  oneAddress,
  recipient,
  recipientIsTo,
  replyData,
  replyInput,
  reportingMta,
} from './common.ts'

/** What is wrong with the address. */
export const bounceCategories = [
  'invalid_recipient',
  'invalid_address',
  'invalid_domain',
  'domain_not_accepting_mail',
  'mailbox_disabled',
  'recipient_moved',
  'recipient_changed',
] as const

export type BounceCategory = (typeof bounceCategories)[number]

const type = z.literal('permanent')
const category = z.enum(bounceCategories).meta({ description: 'What is wrong with the address.' })
const message = z.string().min(1).max(500).meta({ description: 'One sentence that people can read.' })
const timing = z.enum(['synchronous', 'asynchronous']).meta({
  description:
    '`synchronous`: during the SMTP session. `asynchronous`: in a report after the mail server accepted the email.',
})
const evidence = z.enum(['enhanced_status_code', 'reply_text', 'dns', 'reported']).meta({
  description: 'What confirmed the bounce. `reported`: the reporter decided it.',
})
const finalRecipient = emailAddress.optional().meta({
  description: 'The address that failed, if the email was forwarded.',
})

/** A confirmed permanent failure of the address, not of the message or the network. */
export const emailBouncedData = z
  .object({
    ...commonData,
    to: oneAddress,
    recipient,
    bounce: z
      .object({ type, category, message, timing, evidence, final_recipient: finalRecipient })
      .meta({ description: 'Why the address failed permanently.' }),
    ...replyData,
    reporting_mta: reportingMta,
    decided_by: decidedBy,
  })
  .meta({ id: 'EmailBouncedData' })

export const emailBouncedInput = z
  .strictObject({
    ...commonInput,
    to: oneAddress,
    recipient: emailAddress.optional(),
    bounce: z
      .strictObject({
        type: type.optional(),
        category: category.optional(),
        message: message.optional(),
        timing: timing.optional(),
        evidence: evidence.optional(),
        final_recipient: finalRecipient,
      })
      .optional(),
    ...replyInput,
    reporting_mta: reportingMta,
  })
  .superRefine(recipientIsTo)
  .meta({ id: 'EmailBouncedInput' })

export const emailBouncedSample = {
  email_id: 'em_01kaf8j6g0e8xr4c3rgr5qd3mf',
  to: ['ann@example.org'],
  recipient: 'ann@example.org',
  occurred_at: '2026-11-21T04:00:00.912Z',
  message_id: 'a1@mail.acme.example',
  from: 'Acme <no-reply@acme.example>',
  subject: 'Your receipt',
  tags: { kind: 'receipt' },
  metadata: { order_id: 1234 },
  bounce: {
    type: 'permanent' as const,
    category: 'invalid_recipient' as const,
    message: 'The mailbox does not exist.',
    timing: 'synchronous' as const,
    evidence: 'enhanced_status_code' as const,
  },
  smtp_response: {
    code: 550,
    enhanced_code: '5.1.1',
    message: '<ann@example.org>: Recipient address rejected: User unknown',
    command: 'RCPT TO' as const,
  },
  remote_mta: { name: 'mx1.example.org', ip: '192.0.2.7' },
  attempts: 1,
}
