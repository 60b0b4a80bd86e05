import { noticeEmail, noticeEmailPut } from '../resources/notice-email.ts'
import { json, route } from '../route.ts'

const tag = 'Notice email'
const path = '/v1/notice-email'

export const noticeEmailRoutes = {
  getNoticeEmail: route({
    operationId: 'getNoticeEmail',
    method: 'GET',
    path,
    summary: 'Get the address for notices by mail',
    tag,
    auth: 'read',
    success: { status: 200, description: 'The address.', schema: noticeEmail },
    errors: ['not_found'],
  }),
  putNoticeEmail: route({
    operationId: 'putNoticeEmail',
    method: 'PUT',
    path,
    summary: 'Set the address for notices by mail',
    description:
      'The notices that a notice webhook gets, in words: an endpoint begins to fail, is disabled, works again. Needs a mail server (`POSTHORN_SMTP_URL`) and a sender (`POSTHORN_NOTICES_FROM`) of the operator’s. Such a mail makes no events and is not among the emails of the account.',
    tag,
    auth: 'send',
    body: json(noticeEmailPut),
    success: { status: 200, description: 'The address.', schema: noticeEmail },
    errors: ['sending_not_configured'],
  }),
  deleteNoticeEmail: route({
    operationId: 'deleteNoticeEmail',
    method: 'DELETE',
    path,
    summary: 'Send no notices by mail any more',
    tag,
    auth: 'send',
    success: { status: 204, description: 'No notice is mailed any more.' },
    errors: ['not_found'],
  }),
} as const
