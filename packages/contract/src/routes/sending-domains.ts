import { pageQuery } from '../page.ts'
import { sendingDomain, sendingDomainCreate, sendingDomainPage } from '../resources/sending-domain.ts'
import { json, route } from '../route.ts'

const tag = 'Sending domains'
const params = { id: 'dom' } as const

export const sendingDomainRoutes = {
  createSendingDomain: route({
    operationId: 'createSendingDomain',
    method: 'POST',
    path: '/v1/domains',
    summary: 'Add a sending domain',
    description: 'Makes a DKIM key pair. Publish the records of the answer, then have them checked.',
    tag,
    auth: 'send',
    body: json(sendingDomainCreate),
    success: { status: 201, description: 'The domain, with its DNS records.', schema: sendingDomain },
    errors: ['domain_exists', 'domain_limit_reached'],
  }),
  listSendingDomains: route({
    operationId: 'listSendingDomains',
    method: 'GET',
    path: '/v1/domains',
    summary: 'List sending domains',
    tag,
    auth: 'read',
    query: pageQuery,
    success: { status: 200, description: 'A page of domains.', schema: sendingDomainPage },
  }),
  getSendingDomain: route({
    operationId: 'getSendingDomain',
    method: 'GET',
    path: '/v1/domains/{id}',
    summary: 'Get a sending domain',
    tag,
    auth: 'read',
    params,
    success: { status: 200, description: 'The domain.', schema: sendingDomain },
  }),
  checkSendingDomain: route({
    operationId: 'checkSendingDomain',
    method: 'POST',
    path: '/v1/domains/{id}/check',
    summary: 'Look its DNS records up',
    description:
      'Mail is signed from the moment the DKIM record is found, and no longer once another one is found or none. At most 10 checks a minute per account, those of endpoints included.',
    tag,
    auth: 'send',
    params,
    success: { status: 200, description: 'The domain, with what was found.', schema: sendingDomain },
    errors: ['domain_taken', 'rate_limited'],
  }),
  deleteSendingDomain: route({
    operationId: 'deleteSendingDomain',
    method: 'DELETE',
    path: '/v1/domains/{id}',
    summary: 'Delete a sending domain',
    description: 'Its private key is gone; mail of the domain is not signed any more.',
    tag,
    auth: 'send',
    params,
    success: { status: 204, description: 'Deleted.' },
  }),
} as const
