import { pageQuery } from '../page.ts'
import { apiKeyCreate, apiKeyCreated, apiKeyPage, ownApiKeyCreate } from '../resources/api-key.ts'
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
    role: 'change',
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
    role: 'view',
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
      'Returns the API keys of your account, newest first, with the time at which each was last used.',
    tag,
    auth: 'read',
    front: 'caller',
    query: pageQuery,
    success: { status: 200, description: 'One page of API keys.', schema: apiKeyPage },
  }),
  createOwnApiKey: route({
    operationId: 'createOwnApiKey',
    method: 'POST',
    path: '/v1/api-keys',
    summary: 'Create an API key for your account',
    description:
      'Creates an API key for your account. It cannot have a scope that you do not have, and it cannot expire later than your own key. In a portal, the link sets both limits. Save `api_key` now: Posthorn shows it only in this response.',
    tag,
    auth: 'send_and_keys',
    front: 'caller',
    body: json(ownApiKeyCreate),
    success: { status: 201, description: 'The new key, with `api_key`.', schema: apiKeyCreated },
    errors: ['api_key_limit_reached'],
  }),
  revokeOwnApiKey: route({
    operationId: 'revokeOwnApiKey',
    method: 'DELETE',
    path: '/v1/api-keys/{id}',
    summary: 'Revoke an API key of your account',
    description:
      'Revokes an API key of your account. You need every scope that the key has. You can revoke the key that you use. Keys that it created keep working: `created_by` in the list names them. After this request returns, Posthorn refuses all requests with the key. You cannot undo this.',
    tag,
    auth: 'send_and_keys',
    front: 'caller',
    params: { id: 'key' },
    success: { status: 204, description: 'The key is revoked.' },
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
    role: 'change',
    front: 'account_in_path',
    params: { id: 'acct', key_id: 'key' },
    success: { status: 204, description: 'The key is revoked.' },
  }),
} as const
