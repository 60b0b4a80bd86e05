import { pageQuery } from '../page.ts'
import { replay, replayCreate, replayDryRun, replayPage, replayQuery } from '../resources/replay.ts'
import { json, route } from '../route.ts'

const tag = 'Replays'

export const replayRoutes = {
  createReplay: route({
    operationId: 'createReplay',
    method: 'POST',
    path: '/v1/webhooks/{id}/replays',
    summary: 'Send deliveries of an endpoint again',
    description:
      'A job that goes on in the background at a bounded pace. Deliveries keep their event id and sequence; for `missing` events new ones are made. What was erased stays away.',
    tag,
    auth: 'send',
    params: { id: 'wh' },
    body: json(replayCreate),
    success: { status: 202, description: 'The replay, running.', schema: replay },
    dryRun: { status: 200, description: 'With `dry_run`: what it would send.', schema: replayDryRun },
    errors: ['endpoint_disabled'],
  }),
  listReplays: route({
    operationId: 'listReplays',
    method: 'GET',
    path: '/v1/webhooks/{id}/replays',
    summary: 'List the replays of an endpoint',
    tag,
    auth: 'read',
    params: { id: 'wh' },
    query: pageQuery,
    success: { status: 200, description: 'A page of replays.', schema: replayPage },
  }),
  listAllReplays: route({
    operationId: 'listAllReplays',
    method: 'GET',
    path: '/v1/replays',
    summary: 'List the replays of all endpoints',
    description: 'Newest first. Replays of deleted endpoints stay.',
    tag,
    auth: 'read',
    query: replayQuery,
    success: { status: 200, description: 'A page of replays.', schema: replayPage },
  }),
  getReplay: route({
    operationId: 'getReplay',
    method: 'GET',
    path: '/v1/replays/{id}',
    summary: 'Get a replay and its progress',
    tag,
    auth: 'read',
    params: { id: 'rpl' },
    success: { status: 200, description: 'The replay.', schema: replay },
  }),
  cancelReplay: route({
    operationId: 'cancelReplay',
    method: 'POST',
    path: '/v1/replays/{id}/cancel',
    summary: 'Stop a replay',
    description: 'What it has queued already is still sent. One that has ended stays as it is.',
    tag,
    auth: 'send',
    params: { id: 'rpl' },
    success: { status: 200, description: 'The replay.', schema: replay },
  }),
} as const
