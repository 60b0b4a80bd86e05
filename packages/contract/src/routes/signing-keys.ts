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
    description:
      'Returns the primary key, the staged keys and the retired keys of an endpoint, newest first. Check `recent` before you promote a key: it shows whether your receiver already verifies with it.',
    tag,
    auth: 'read',
    front: 'caller',
    params: { id: 'wh' },
    query: pageQuery,
    success: { status: 200, description: 'One page of signing keys.', schema: signingKeyPage },
  }),
  stageSigningKey: route({
    operationId: 'stageSigningKey',
    method: 'POST',
    path: '/v1/webhooks/{id}/signing-keys/stage',
    summary: 'Stage a new signing key',
    description:
      'Creates another secret for an endpoint, as the first step of a rotation. The primary key keeps signing, and each delivery also has a signature with the new secret. Save `secret` now and add it to your receiver: Posthorn shows it only in this response.',
    tag,
    auth: 'send',
    front: 'caller',
    params: { id: 'wh' },
    success: { status: 201, description: 'The staged key, with `secret`.', schema: signingKeyStaged },
    errors: ['staged_key_limit_reached'],
  }),
  promoteSigningKey: route({
    operationId: 'promoteSigningKey',
    method: 'POST',
    path: '/v1/webhooks/{id}/signing-keys/{key_id}/promote',
    summary: 'Promote a staged signing key',
    description:
      'Makes a staged key the primary key and retires the previous one. Promote only when your receiver accepts the new secret. After this request returns, Posthorn signs no new attempt with the old secret.',
    tag,
    auth: 'send',
    front: 'caller',
    params: { id: 'wh', key_id: 'whk' },
    success: { status: 200, description: 'The key, which is now primary.', schema: signingKeyPromoted },
    errors: ['signing_key_not_staged'],
  }),
  retireSigningKey: route({
    operationId: 'retireSigningKey',
    method: 'POST',
    path: '/v1/webhooks/{id}/signing-keys/{key_id}/retire',
    summary: 'Discard a staged signing key',
    description:
      'Retires a staged key and erases its secret. Use this if you lost the secret, then stage another key. Posthorn stops signing with it before this request returns.',
    tag,
    auth: 'send',
    front: 'caller',
    params: { id: 'wh', key_id: 'whk' },
    success: { status: 200, description: 'The key, which is now retired.', schema: signingKey },
    errors: ['signing_key_not_staged', 'primary_key_cannot_be_retired'],
  }),
} as const
