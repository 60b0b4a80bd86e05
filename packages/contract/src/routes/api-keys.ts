import { pageQuery } from '../page.ts'
import { apiKeyCreate, apiKeyCreated, apiKeyPage } from '../resources/api-key.ts'
import { json, route } from '../route.ts'

const tag = 'API keys'

export const apiKeyRoutes = {
  createApiKey: route({
    operationId: 'createApiKey',
    method: 'POST',
    path: '/v1/accounts/{id}/api-keys',
    summary: 'Create an API key',
    description: 'The key itself is in this answer and never again.',
    tag,
    auth: 'operator',
    params: { id: 'acct' },
    body: json(apiKeyCreate),
    success: { status: 201, description: 'The key, with `api_key`.', schema: apiKeyCreated },
  }),
  listApiKeys: route({
    operationId: 'listApiKeys',
    method: 'GET',
    path: '/v1/accounts/{id}/api-keys',
    summary: 'List API keys',
    tag,
    auth: 'operator',
    params: { id: 'acct' },
    query: pageQuery,
    success: { status: 200, description: 'A page of API keys.', schema: apiKeyPage },
  }),
  listOwnApiKeys: route({
    operationId: 'listOwnApiKeys',
    method: 'GET',
    path: '/v1/api-keys',
    summary: 'List the API keys of your own account',
    description: 'To see which live and when they were used; the operator makes and revokes them.',
    tag,
    auth: 'read',
    query: pageQuery,
    success: { status: 200, description: 'A page of API keys.', schema: apiKeyPage },
  }),
  revokeApiKey: route({
    operationId: 'revokeApiKey',
    method: 'DELETE',
    path: '/v1/accounts/{id}/api-keys/{key_id}',
    summary: 'Revoke an API key',
    tag,
    auth: 'operator',
    params: { id: 'acct', key_id: 'key' },
    success: { status: 204, description: 'Revoked: no request with it is accepted any more.' },
  }),
} as const
