import { email, emailAccepted, emailPage, emailQuery } from '../resources/email.ts'
import { emailCreate } from '../resources/email-create.ts'
import { route } from '../route.ts'

const tag = 'Emails'

export const emailRoutes = {
  createEmail: route({
    operationId: 'createEmail',
    method: 'POST',
    path: '/v1/emails',
    summary: 'Send an email',
    description:
      'Stored before it answers, then handed to the mail server of `POSTHORN_SMTP_URL`, for each recipient by itself. What becomes of it are events. Named twice, a recipient gets it once.',
    tag,
    auth: 'send',
    body: { schema: emailCreate, mediaTypes: ['application/json'], bytesMax: 10 * 1024 * 1024 },
    success: { status: 202, description: 'Stored; the hand-over follows.', schema: emailAccepted },
    errors: ['sending_not_configured'],
  }),
  listEmails: route({
    operationId: 'listEmails',
    method: 'GET',
    path: '/v1/emails',
    summary: 'List emails',
    tag,
    auth: 'read',
    query: emailQuery,
    success: { status: 200, description: 'A page of emails.', schema: emailPage },
  }),
  getEmail: route({
    operationId: 'getEmail',
    method: 'GET',
    path: '/v1/emails/{id}',
    summary: 'Get an email with the state of each recipient',
    tag,
    auth: 'read',
    params: { id: 'em' },
    success: { status: 200, description: 'The email.', schema: email },
  }),
} as const
