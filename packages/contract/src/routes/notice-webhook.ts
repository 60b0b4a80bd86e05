import { noticeWebhook, noticeWebhookPut, noticeWebhookSaved } from '../resources/notice-webhook.ts'
import { json, route } from '../route.ts'

const tag = 'Notice webhook'
const path = '/v1/notice-webhook'

export const noticeWebhookRoutes = {
  getNoticeWebhook: route({
    operationId: 'getNoticeWebhook',
    method: 'GET',
    path,
    summary: 'Get the notice webhook',
    tag,
    auth: 'read',
    success: { status: 200, description: 'The notice webhook.', schema: noticeWebhook },
    errors: ['not_found'],
  }),
  putNoticeWebhook: route({
    operationId: 'putNoticeWebhook',
    method: 'PUT',
    path,
    summary: 'Set where notices go',
    description:
      'Notices say how the account’s endpoints fare: `webhook.warning`, `webhook.disabled`, `webhook.recovered`, with the envelope, headers, signature and retries of events. The PUT that creates it answers with the secret; another one changes the URL, keeps the secret, and enables it if it was disabled.',
    tag,
    auth: 'send',
    body: json(noticeWebhookPut),
    success: { status: 200, description: 'The notice webhook, with `secret`.', schema: noticeWebhookSaved },
    errors: ['url_not_allowed'],
  }),
  deleteNoticeWebhook: route({
    operationId: 'deleteNoticeWebhook',
    method: 'DELETE',
    path,
    summary: 'Send no notices any more',
    tag,
    auth: 'send',
    success: { status: 204, description: 'Deleted: no notice is sent any more.' },
    errors: ['not_found'],
  }),
} as const
