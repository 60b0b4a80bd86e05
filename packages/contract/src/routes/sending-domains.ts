import { pageQuery } from '../page.ts'
import {
  sendingDomain,
  sendingDomainCreate,
  sendingDomainPage,
  sendingDomainUpdate,
} from '../resources/sending-domain.ts'
import { json, route } from '../route.ts'

const tag = 'Sending domains'
const params = { id: 'dom' } as const

export const sendingDomainRoutes = {
  createSendingDomain: route({
    operationId: 'createSendingDomain',
    method: 'POST',
    path: '/v1/domains',
    summary: 'Add a sending domain',
    description:
      'Adds a domain that you send from and creates a DKIM key pair for it. Publish the DNS records in the response, then check the domain.',
    tag,
    auth: 'send',
    front: 'caller',
    body: json(sendingDomainCreate),
    success: { status: 201, description: 'The domain, with its DNS records.', schema: sendingDomain },
    errors: ['domain_exists', 'domain_limit_reached'],
  }),
  listSendingDomains: route({
    operationId: 'listSendingDomains',
    method: 'GET',
    path: '/v1/domains',
    summary: 'List sending domains',
    description: 'Returns the sending domains of your account, newest first.',
    tag,
    auth: 'read',
    front: 'caller',
    query: pageQuery,
    success: { status: 200, description: 'One page of domains.', schema: sendingDomainPage },
  }),
  getSendingDomain: route({
    operationId: 'getSendingDomain',
    method: 'GET',
    path: '/v1/domains/{id}',
    summary: 'Get a sending domain',
    description: 'Returns a domain with its DNS records and the result of the last check.',
    tag,
    auth: 'read',
    front: 'caller',
    params,
    success: { status: 200, description: 'The domain.', schema: sendingDomain },
  }),
  updateSendingDomain: route({
    operationId: 'updateSendingDomain',
    method: 'PATCH',
    path: '/v1/domains/{id}',
    summary: 'Update a sending domain',
    description:
      'Changes only the fields that you send. A new return path domain or link host is used after a check finds its CNAME record. Emails that were already sent keep their return path and links, and both stay valid.',
    tag,
    auth: 'send',
    front: 'caller',
    params,
    body: json(sendingDomainUpdate),
    success: { status: 200, description: 'The updated domain, with its DNS records.', schema: sendingDomain },
  }),
  checkSendingDomain: route({
    operationId: 'checkSendingDomain',
    method: 'POST',
    path: '/v1/domains/{id}/check',
    summary: 'Check the DNS records of a domain',
    description:
      'Looks up the DNS records of a domain now. Posthorn signs emails of the domain once a check finds its DKIM record, and stops when a check finds the record missing or wrong. The limit of 10 checks per minute includes checks of endpoints.',
    tag,
    auth: 'send',
    front: 'caller',
    params,
    success: { status: 200, description: 'The domain, with the result of the check.', schema: sendingDomain },
    errors: ['domain_taken', 'rate_limited'],
  }),
  deleteSendingDomain: route({
    operationId: 'deleteSendingDomain',
    method: 'DELETE',
    path: '/v1/domains/{id}',
    summary: 'Delete a sending domain',
    description: 'Deletes a domain and its private key. Posthorn no longer signs emails of the domain.',
    tag,
    auth: 'send',
    front: 'caller',
    params,
    success: { status: 204, description: 'The domain is deleted.' },
  }),
} as const
