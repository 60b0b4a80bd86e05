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
    description:
      'Creates an API key for an account with the scopes that you choose. No scope includes another: a key that sends and reads needs both. Save `api_key` now: Posthorn shows it only in this response.',
    tag,
    auth: 'operator',
    front: 'account_in_path',
    params: { id: 'acct' },
    body: json(apiKeyCreate),
    success: { status: 201, description: 'The new key, with `api_key`.', schema: apiKeyCreated },
  }),
  listApiKeys: route({
    operationId: 'listApiKeys',
    method: 'GET',
    path: '/v1/accounts/{id}/api-keys',
    summary: 'List the API keys of an account',
    description:
      'Returns the API keys of one account, newest first, including revoked and expired ones. The keys themselves are not included.',
    tag,
    auth: 'operator',
    front: 'account_in_path',
    params: { id: 'acct' },
    query: pageQuery,
    success: { status: 200, description: 'One page of API keys.', schema: apiKeyPage },
  }),
  listOwnApiKeys: route({
    operationId: 'listOwnApiKeys',
    method: 'GET',
    path: '/v1/api-keys',
    summary: 'List your own API keys',
    description:
      'Returns the API keys of your account, newest first, with the time at which each was last used. Only the operator can create and revoke keys.',
    tag,
    auth: 'read',
    front: 'caller',
    query: pageQuery,
    success: { status: 200, description: 'One page of API keys.', schema: apiKeyPage },
  }),
  revokeApiKey: route({
    operationId: 'revokeApiKey',
    method: 'DELETE',
    path: '/v1/accounts/{id}/api-keys/{key_id}',
    summary: 'Revoke an API key',
    description:
      'Revokes an API key. After this request returns, Posthorn refuses all requests with the key. You cannot undo this.',
    tag,
    auth: 'operator',
    front: 'account_in_path',
    params: { id: 'acct', key_id: 'key' },
    success: { status: 204, description: 'The key is revoked.' },
  }),
} as const
