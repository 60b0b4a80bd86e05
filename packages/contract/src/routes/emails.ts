import { addressMatches, addressQuery } from '../resources/address-match.ts'
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
      'Stores an email and then hands it over to the operator’s mail server, separately for each recipient. The response means that Posthorn has stored the email. Events report what happens next. If you name a recipient twice, they get one copy.',
    tag,
    auth: 'send',
    front: 'caller',
    body: { schema: emailCreate, mediaTypes: ['application/json'], bytesMax: 10 * 1024 * 1024 },
    success: { status: 202, description: 'The email is stored.', schema: emailAccepted },
    errors: ['sending_not_configured', 'quota_exceeded', 'sending_suspended'],
  }),
  listEmails: route({
    operationId: 'listEmails',
    method: 'GET',
    path: '/v1/emails',
    summary: 'List emails',
    description:
      'Returns the emails of your account, newest first. Filter by recipient, state or time. Posthorn never returns the content of emails.',
    tag,
    auth: 'read',
    front: 'caller',
    query: emailQuery,
    success: { status: 200, description: 'One page of emails.', schema: emailPage },
  }),
  getEmail: route({
    operationId: 'getEmail',
    method: 'GET',
    path: '/v1/emails/{id}',
    summary: 'Get an email',
    description: 'Returns an email with the state of each recipient and the replies of mail servers.',
    tag,
    auth: 'read',
    front: 'caller',
    params: { id: 'em' },
    success: { status: 200, description: 'The email with its recipients.', schema: email },
  }),
  findAddresses: route({
    operationId: 'findAddresses',
    method: 'GET',
    path: '/v1/addresses',
    summary: 'Find addresses by their first characters',
    description:
      'Finds addresses that begin with a text, in the suppressions and among the recipients of emails that Posthorn sent. It does not find recipients of emails that another system sent, because Posthorn stores only hashes to find their events. Search events by the complete address instead.',
    tag,
    auth: 'read',
    front: 'caller',
    query: addressQuery,
    success: { status: 200, description: 'The addresses.', schema: addressMatches },
  }),
} as const
