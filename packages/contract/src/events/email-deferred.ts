import * as z from 'zod'
import { commonData, oneAddress, recipient, replyData, reportingMta } from './common.ts'
import { failureCategory, failureReason } from './failure.ts'

/** The email was not delivered yet, and the mail server tries again. Only the first time for each recipient. */
export const emailDeferredData = z
  .object({
    ...commonData,
    to: oneAddress,
    recipient,
    deferral: z
      .object({
        category: failureCategory,
        reason: failureReason,
        message: z.string().meta({ description: 'One sentence that people can read.' }),
      })
      .meta({ description: 'Why the email was not delivered yet.' }),
    ...replyData,
    reporting_mta: reportingMta,
  })
  .meta({ id: 'EmailDeferredData' })

export const emailDeferredSample = {
  email_id: 'em_01kaf8j6g0e8xr4c3rgr5qd3mf',
  to: ['ann@example.org'],
  recipient: 'ann@example.org',
  occurred_at: '2026-11-21T04:00:00.912Z',
  message_id: 'a1@mail.acme.example',
  from: 'Acme <no-reply@acme.example>',
  subject: 'Your receipt',
  tags: { kind: 'receipt' },
  metadata: { order_id: 1234 },
  deferral: {
    category: 'infrastructure' as const,
    reason: 'mailbox_full' as const,
    message: 'The mailbox is full.',
  },
  smtp_response: {
    code: 452,
    enhanced_code: '4.2.2',
    message: 'The email account that you tried to reach is over quota',
    command: 'RCPT TO' as const,
  },
  remote_mta: { name: 'mx1.example.org', ip: '192.0.2.7' },
  attempts: 1,
}
