import { pageQuery } from '../page.ts'
import { signingKey, signingKeyPage, signingKeyPromoted, signingKeyStaged } from '../resources/signing-key.ts'
import { route } from '../route.ts'

const tag = 'Signing keys'

export const signingKeyRoutes = {
  listSigningKeys: route({
    operationId: 'listSigningKeys',
    method: 'GET',
    path: '/v1/webhooks/{id}/signing-keys',
    summary: 'List the signing keys of an endpoint',
    tag,
    auth: 'read',
    params: { id: 'wh' },
    query: pageQuery,
    success: { status: 200, description: 'A page of signing keys.', schema: signingKeyPage },
  }),
  stageSigningKey: route({
    operationId: 'stageSigningKey',
    method: 'POST',
    path: '/v1/webhooks/{id}/signing-keys/stage',
    summary: 'Stage a replacement secret',
    description: 'The primary keeps signing. The full secret is in this answer and never again.',
    tag,
    auth: 'send',
    params: { id: 'wh' },
    success: { status: 201, description: 'The staged key, with `secret`.', schema: signingKeyStaged },
    errors: ['staged_key_limit_reached'],
  }),
  promoteSigningKey: route({
    operationId: 'promoteSigningKey',
    method: 'POST',
    path: '/v1/webhooks/{id}/signing-keys/{key_id}/promote',
    summary: 'Make a staged key primary',
    description: 'Once it has answered, nothing is signed with the previous primary any more.',
    tag,
    auth: 'send',
    params: { id: 'wh', key_id: 'whk' },
    success: { status: 200, description: 'The key, now primary.', schema: signingKeyPromoted },
    errors: ['signing_key_not_staged'],
  }),
  retireSigningKey: route({
    operationId: 'retireSigningKey',
    method: 'POST',
    path: '/v1/webhooks/{id}/signing-keys/{key_id}/retire',
    summary: 'Discard a staged key',
    tag,
    auth: 'send',
    params: { id: 'wh', key_id: 'whk' },
    success: { status: 200, description: 'The key, now retired.', schema: signingKey },
    errors: ['signing_key_not_staged', 'primary_key_cannot_be_retired'],
  }),
} as const
