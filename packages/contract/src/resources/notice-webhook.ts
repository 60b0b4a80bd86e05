import * as z from 'zod'
import { timestamp } from '../timestamp.ts'
import { disabledReason } from './webhook.ts'

/** The URL that receives notices about the account's endpoints. */
export const noticeWebhook = z
  .object({
    url: z.string(),
    status: z.enum(['enabled', 'disabled']),
    disabled_reason: disabledReason,
    secret_prefix: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'NoticeWebhook' })

export const noticeWebhookPut = z
  .strictObject({ url: z.string().meta({ format: 'uri', examples: ['https://ops.example.com/posthorn'] }) })
  .meta({ id: 'NoticeWebhookPut' })

export const noticeWebhookSaved = noticeWebhook
  .extend({
    secret: z.string().nullable().meta({
      description:
        'The full signing secret. Only the request that creates the webhook returns it. Otherwise null.',
    }),
  })
  .meta({ id: 'NoticeWebhookSaved' })

export type NoticeWebhook = z.infer<typeof noticeWebhook>
export type NoticeWebhookPut = z.output<typeof noticeWebhookPut>
export type NoticeWebhookSaved = z.infer<typeof noticeWebhookSaved>
