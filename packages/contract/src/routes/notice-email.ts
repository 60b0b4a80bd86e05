import { noticeEmail, noticeEmailPut } from '../resources/notice-email.ts'
import { json, route } from '../route.ts'

const tag = 'Notice email'
const path = '/v1/notice-email'

export const noticeEmailRoutes = {
  getNoticeEmail: route({
    operationId: 'getNoticeEmail',
    method: 'GET',
    path,
    summary: 'Get the notice address',
    description: 'Returns the email address that receives notices about the health of your endpoints.',
    tag,
    auth: 'read',
    front: 'caller',
    success: { status: 200, description: 'The address.', schema: noticeEmail },
    errors: ['not_found'],
  }),
  putNoticeEmail: route({
    operationId: 'putNoticeEmail',
    method: 'PUT',
    path,
    summary: 'Set the notice address',
    description:
      'Sets the address that gets an email when an endpoint starts to fail, is disabled, or recovers. The operator must set `POSTHORN_SMTP_URL` and `POSTHORN_NOTICES_FROM`. These emails create no events and do not appear in `GET /v1/emails`.',
    tag,
    auth: 'send',
    front: 'caller',
    body: json(noticeEmailPut),
    success: { status: 200, description: 'The address.', schema: noticeEmail },
    errors: ['sending_not_configured'],
  }),
  deleteNoticeEmail: route({
    operationId: 'deleteNoticeEmail',
    method: 'DELETE',
    path,
    summary: 'Delete the notice address',
    description: 'Stops notices by email.',
    tag,
    auth: 'send',
    front: 'caller',
    success: { status: 204, description: 'The address is deleted.' },
    errors: ['not_found'],
  }),
} as const
