import * as z from 'zod'
import {
  addresses,
  commonData,
  commonInput,
  decidedBy,
  replyData,
  replyInput,
  reportingMta,
} from './common.ts'
import { failureData, failureInput } from './failure.ts'

const scope = z.enum(['recipient', 'message']).meta({
  description:
    '`recipient`: the failure affects this recipient. `message`: it affects the message and all its recipients.',
})

/** The email did not arrive because of an infrastructure, policy or signing failure. */
export const emailFailedData = z
  .object({
    ...commonData,
    to: addresses,
    scope,
    failure: failureData.meta({ description: 'What went wrong.' }),
    ...replyData,
    reporting_mta: reportingMta,
    decided_by: decidedBy,
  })
  .meta({ id: 'EmailFailedData' })

export const emailFailedInput = z
  .strictObject({
    ...commonInput,
    to: addresses,
    scope: scope.optional(),
    failure: failureInput.optional(),
    ...replyInput,
    reporting_mta: reportingMta,
  })
  .refine(({ scope, to }) => scope !== 'recipient' || to.length === 1, {
    path: ['to'],
    message: 'must have exactly one address when the scope is recipient',
  })
  .meta({ id: 'EmailFailedInput' })

export const emailFailedSample = {
  email_id: 'em_01kaf8j6g0e8xr4c3rgr5qd3mf',
  to: ['ann@example.org'],
  occurred_at: '2026-11-21T04:00:00.912Z',
  message_id: 'a1@mail.acme.example',
  from: 'Acme <no-reply@acme.example>',
  subject: 'Your receipt',
  tags: { kind: 'receipt' },
  metadata: { order_id: 1234 },
  scope: 'recipient' as const,
  failure: {
    category: 'policy' as const,
    reason: 'ip_blocked' as const,
    stage: 'rcpt_to' as const,
    message: 'The receiving server refuses mail from the sending IP address.',
    retryable: true,
    expired: false,
    blocklist: 'zen.spamhaus.org',
  },
  smtp_response: {
    code: 554,
    enhanced_code: '5.7.1',
    message: 'Client host [192.0.2.10] blocked using zen.spamhaus.org',
    command: 'RCPT TO' as const,
  },
  remote_mta: { name: 'mx1.example.org', ip: '192.0.2.7' },
  attempts: 1,
}
