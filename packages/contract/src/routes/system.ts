import { clockConfirmation, shardQuery, system, systemHealth } from '../resources/system.ts'
import { route } from '../route.ts'

const tag = 'System'

export const systemRoutes = {
  getSystem: route({
    operationId: 'getSystem',
    method: 'GET',
    path: '/v1/system',
    summary: 'Get the installation',
    description:
      'Returns versions, processes, table sizes and the settings in force. Secrets are not included. A front also lists all shards.',
    tag,
    auth: 'operator',
    role: 'view',
    front: 'all_shards',
    query: shardQuery,
    success: { status: 200, description: 'The installation.', schema: system },
  }),
  getSystemHealth: route({
    operationId: 'getSystemHealth',
    method: 'GET',
    path: '/v1/system/health',
    summary: 'Get the health of the installation',
    description:
      'Returns current rates, backlog, clock and database latency, and the worst endpoints. This request is cheap: you can send it every few seconds. Through a front, it covers all shards.',
    tag,
    auth: 'operator',
    role: 'view',
    front: 'all_shards',
    success: { status: 200, description: 'The health of the installation.', schema: systemHealth },
  }),
  confirmClock: route({
    operationId: 'confirmClock',
    method: 'POST',
    path: '/v1/system/confirm-clock',
    summary: 'Confirm the database clock',
    description:
      'Posthorn stops maintenance if the clock of the database jumped or was not observed for a while. This operation confirms that the clock is right. Check the clock first: maintenance resumes within seconds and deletes data that is older than the retention period by this clock. Each shard has its own clock, so a front needs `shard`.',
    tag,
    auth: 'operator',
    role: 'change',
    front: 'shard_in_query',
    query: shardQuery,
    success: { status: 200, description: 'The clock is confirmed.', schema: clockConfirmation },
  }),
} as const
