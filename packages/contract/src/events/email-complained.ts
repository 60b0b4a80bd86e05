import * as z from 'zod'
import { commonData, oneAddress, recipient } from './common.ts'
import { feedbackType, userAgent } from './email-unsubscribed.ts'

/** A recipient reported the email as spam. */
export const emailComplainedData = z
  .object({
    ...commonData,
    to: oneAddress,
    recipient,
    complaint: z
      .object({ feedback_type: feedbackType, user_agent: userAgent })
      .meta({ description: 'What the report says.' }),
  })
  .meta({ id: 'EmailComplainedData' })

export const emailComplainedSample = {
  email_id: 'em_01kaf8j6g0e8xr4c3rgr5qd3mf',
  to: ['ann@example.org'],
  recipient: 'ann@example.org',
  occurred_at: '2026-11-21T04:00:00.912Z',
  from: 'Acme <news@acme.example>',
  subject: 'News in November',
  tags: { kind: 'newsletter' },
  metadata: { customer_id: 'c_77' },
  complaint: { feedback_type: 'abuse' },
}
