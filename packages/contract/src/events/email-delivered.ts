import * as z from 'zod'
import { addresses, commonData, commonInput, replyData, replyInput } from './common.ts'

const tls = { version: z.string().max(64), cipher: z.string().max(128) }

/** The recipient's mail server accepted the email. A later bounce is possible. */
export const emailDeliveredData = z
  .object({
    ...commonData,
    to: addresses,
    ...replyData,
    tls: z
      .object(tls)
      .nullable()
      .optional()
      .meta({ description: 'How the connection was encrypted. Null if it was not.' }),
  })
  .meta({ id: 'EmailDeliveredData' })

export const emailDeliveredInput = z
  .strictObject({
    ...commonInput,
    to: addresses,
    ...replyInput,
    tls: z.strictObject(tls).nullable().optional(),
  })
  .meta({ id: 'EmailDeliveredInput' })

export const emailDeliveredSample = {
  email_id: 'em_01kaf8j6g0e8xr4c3rgr5qd3mf',
  to: ['ann@example.org'],
  occurred_at: '2026-11-21T04:00:00.912Z',
  message_id: 'a1@mail.acme.example',
  from: 'Acme <no-reply@acme.example>',
  subject: 'Your receipt',
  tags: { kind: 'receipt' },
  metadata: { order_id: 1234 },
  remote_mta: { name: 'mx1.example.org', ip: '192.0.2.7' },
  smtp_response: { code: 250, enhanced_code: '2.0.0', message: 'OK queued as 4F7C2A', command: '.' as const },
  attempts: 1,
  tls: { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
}
