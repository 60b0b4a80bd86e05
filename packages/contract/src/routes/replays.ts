import { pageQuery } from '../page.ts'
import { replay, replayCreate, replayDryRun, replayPage, replayQuery } from '../resources/replay.ts'
import { json, route } from '../route.ts'

const tag = 'Replays'

export const replayRoutes = {
  createReplay: route({
    operationId: 'createReplay',
    method: 'POST',
    path: '/v1/webhooks/{id}/replays',
    summary: 'Create a replay',
    description:
      'Sends the deliveries of an endpoint again, in the background and at a limited rate. By default, it sends failed and exhausted deliveries. Deliveries keep their event id and sequence number. The state `missing` creates deliveries for events that have none for this endpoint. Set `dry_run` to count first. Posthorn never sends erased events.',
    tag,
    auth: 'send',
    front: 'caller',
    params: { id: 'wh' },
    body: json(replayCreate),
    success: { status: 202, description: 'The replay, which is now running.', schema: replay },
    dryRun: { status: 200, description: 'With `dry_run`: what the replay would send.', schema: replayDryRun },
    errors: ['endpoint_disabled'],
  }),
  listReplays: route({
    operationId: 'listReplays',
    method: 'GET',
    path: '/v1/webhooks/{id}/replays',
    summary: 'List the replays of an endpoint',
    description: 'Returns the replays of one endpoint, newest first.',
    tag,
    auth: 'read',
    front: 'caller',
    params: { id: 'wh' },
    query: pageQuery,
    success: { status: 200, description: 'One page of replays.', schema: replayPage },
  }),
  listAllReplays: route({
    operationId: 'listAllReplays',
    method: 'GET',
    path: '/v1/replays',
    summary: 'List all replays',
    description: 'Returns the replays of all endpoints, newest first, including those of deleted endpoints.',
    tag,
    auth: 'read',
    front: 'caller',
    query: replayQuery,
    success: { status: 200, description: 'One page of replays.', schema: replayPage },
  }),
  getReplay: route({
    operationId: 'getReplay',
    method: 'GET',
    path: '/v1/replays/{id}',
    summary: 'Get a replay',
    description: 'Returns a replay and its progress.',
    tag,
    auth: 'read',
    front: 'caller',
    params: { id: 'rpl' },
    success: { status: 200, description: 'The replay.', schema: replay },
  }),
  cancelReplay: route({
    operationId: 'cancelReplay',
    method: 'POST',
    path: '/v1/replays/{id}/cancel',
    summary: 'Cancel a replay',
    description:
      'Stops a replay. Posthorn still sends the deliveries that are already queued. If the replay has already ended, nothing changes.',
    tag,
    auth: 'send',
    front: 'caller',
    params: { id: 'rpl' },
    success: { status: 200, description: 'The replay.', schema: replay },
  }),
} as const
