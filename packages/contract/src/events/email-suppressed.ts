import * as z from 'zod'
import { addresses, commonData } from './common.ts'
import { suppressionData } from './failure.ts'

/** The email was not sent, because the address is suppressed. */
export const emailSuppressedData = z
  .object({ ...commonData, to: addresses, suppression: suppressionData.optional() })
  .meta({ id: 'EmailSuppressedData' })

export const emailSuppressedSample = {
  email_id: 'em_01kaf8j6g0e8xr4c3rgr5qd3mf',
  to: ['ann@example.org'],
  occurred_at: '2026-11-21T04:00:00.912Z',
  message_id: 'a1@mail.acme.example',
  from: 'Acme <news@acme.example>',
  subject: 'News in November',
  tags: { kind: 'newsletter' },
  metadata: { customer_id: 'c_77' },
  suppression: { reason: 'complaint' as const, since: '2026-10-02T09:12:44.310Z' },
}
