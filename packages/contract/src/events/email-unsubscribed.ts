import * as z from 'zod'
import { commonData, commonInput, emailAddress, oneAddress, recipient, recipientIsTo } from './common.ts'

/** How a recipient unsubscribed. */
export const unsubscribeSources = [
  'one_click',
  'link',
  'mailto',
  'complaint',
  'preference_center',
  'manual',
  'api',
] as const

const source = z.enum(unsubscribeSources).meta({ description: 'How the recipient unsubscribed.' })
const scope = { type: z.enum(['all', 'list', 'topic']), id: z.string().max(255).optional() }
export const feedbackType = z
  .string()
  .max(64)
  .optional()
  .meta({ description: 'The Feedback-Type of a complaint.' })
export const userAgent = z
  .string()
  .max(1024)
  .optional()
  .meta({ description: 'The program or mail provider that sent the report or request.' })

/** A recipient unsubscribed or reported the email as spam. */
export const emailUnsubscribedData = z
  .object({
    ...commonData,
    to: oneAddress,
    recipient,
    unsubscribe: z
      .object({
        source,
        scope: z
          .object(scope)
          .meta({ description: 'What the recipient unsubscribed from: all emails, one list or one topic.' }),
        feedback_type: feedbackType,
        user_agent: userAgent,
      })
      .meta({ description: 'How the recipient unsubscribed, and from what.' }),
  })
  .meta({ id: 'EmailUnsubscribedData' })

export const emailUnsubscribedInput = z
  .strictObject({
    ...commonInput,
    to: oneAddress,
    recipient: emailAddress.optional(),
    unsubscribe: z
      .strictObject({
        source: source.optional(),
        scope: z.strictObject(scope).optional(),
        feedback_type: feedbackType,
        user_agent: userAgent,
      })
      .refine(({ source, feedback_type }) => feedback_type === undefined || source === 'complaint', {
        path: ['feedback_type'],
        message: 'is allowed only if the source is complaint',
      })
      .optional(),
  })
  .superRefine(recipientIsTo)
  .meta({ id: 'EmailUnsubscribedInput' })

export const emailUnsubscribedSample = {
  email_id: 'em_01kaf8j6g0e8xr4c3rgr5qd3mf',
  to: ['ann@example.org'],
  recipient: 'ann@example.org',
  occurred_at: '2026-11-21T04:00:00.912Z',
  from: 'Acme <news@acme.example>',
  subject: 'News in November',
  tags: { kind: 'newsletter' },
  metadata: { customer_id: 'c_77' },
  unsubscribe: {
    source: 'one_click' as const,
    scope: { type: 'list' as const, id: 'newsletter' },
  },
}
