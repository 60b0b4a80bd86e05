import type { Examples } from './example.ts'
import { exampleSecret } from './example-secret.ts'

const noticeWebhook = {
  url: 'https://ops.example.com/posthorn',
  status: 'enabled' as const,
  disabled_reason: null,
  secret_prefix: exampleSecret.slice(0, 10),
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
}
const noticeEmail = { address: 'ops@example.com' }

export const noticeExamples = {
  getNoticeWebhook: { answer: noticeWebhook },
  putNoticeWebhook: {
    body: { url: noticeWebhook.url },
    answer: { ...noticeWebhook, secret: exampleSecret },
  },
  deleteNoticeWebhook: {},
  getNoticeEmail: { answer: noticeEmail },
  putNoticeEmail: { body: noticeEmail, answer: noticeEmail },
  deleteNoticeEmail: {},
} satisfies Partial<Examples>
