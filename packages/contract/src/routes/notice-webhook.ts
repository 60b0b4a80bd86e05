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
    description:
      'Returns the URL that receives notices about the health of your endpoints and sending domains.',
    tag,
    auth: 'read',
    front: 'caller',
    success: { status: 200, description: 'The notice webhook.', schema: noticeWebhook },
    errors: ['not_found'],
  }),
  putNoticeWebhook: route({
    operationId: 'putNoticeWebhook',
    method: 'PUT',
    path,
    summary: 'Set the notice webhook',
    description:
      'Sets the URL that receives notices about your endpoints (`webhook.warning`, `webhook.disabled`, `webhook.recovered`) and sending domains (`domain.warning`, `domain.recovered`), and `sending.suspended`. Notices have the envelope, headers, signature and retries of events. The first request returns `secret`: save it. Later requests change the URL, keep the secret, and enable the webhook if it was disabled.',
    tag,
    auth: 'send',
    front: 'caller',
    body: json(noticeWebhookPut),
    success: {
      status: 200,
      description: 'The notice webhook, with `secret` when it is new.',
      schema: noticeWebhookSaved,
    },
    errors: ['url_not_allowed'],
  }),
  deleteNoticeWebhook: route({
    operationId: 'deleteNoticeWebhook',
    method: 'DELETE',
    path,
    summary: 'Delete the notice webhook',
    description: 'Stops notices to the webhook and deletes its secret.',
    tag,
    auth: 'send',
    front: 'caller',
    success: { status: 204, description: 'The notice webhook is deleted.' },
    errors: ['not_found'],
  }),
} as const
