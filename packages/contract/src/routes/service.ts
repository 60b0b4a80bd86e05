import * as z from 'zod'
import { shardQuery } from '../resources/system.ts'
import { route } from '../route.ts'

const tag = 'Service'

export const serviceRoutes = {
  getHealth: route({
    operationId: 'getHealth',
    method: 'GET',
    path: '/healthz',
    summary: 'Check that the process runs',
    description:
      'Returns 200 while the process runs, even if the database is down. Use it as a liveness probe.',
    tag,
    auth: 'public',
    front: 'front',
    success: {
      status: 200,
      description: 'The process runs.',
      schema: z.object({ status: z.literal('ok') }).meta({ id: 'Health' }),
    },
  }),
  getReadiness: route({
    operationId: 'getReadiness',
    method: 'GET',
    path: '/readyz',
    summary: 'Check that the service is ready',
    description:
      'Returns 200 if the database accepts writes, its schema fits this version, today’s partitions exist, and the clocks agree. Otherwise, it returns 503 with the reason. Use it as a readiness probe.',
    tag,
    auth: 'public',
    front: 'front',
    success: {
      status: 200,
      description: 'The service is ready.',
      schema: z.object({ status: z.literal('ready') }).meta({ id: 'Readiness' }),
    },
    errors: ['database_unavailable'],
  }),
  getMetrics: route({
    operationId: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Get metrics',
    description:
      'Returns metrics in the Prometheus text format. They contain no account, endpoint, URL or address.',
    tag,
    auth: 'public',
    front: 'front',
    success: { status: 200, description: 'The metrics.', mediaType: 'text/plain' },
  }),
  getBackup: route({
    operationId: 'getBackup',
    method: 'GET',
    path: '/v1/backup',
    summary: 'Back up the embedded database',
    description:
      'Returns a consistent copy of the embedded database as a compressed tar archive for `posthorn restore`. Secrets in it stay encrypted, so back up the master keys separately. With a PostgreSQL server, this operation returns 404: use the tools of PostgreSQL. Each shard has its own backup, so a front needs `shard`.',
    tag,
    auth: 'operator',
    role: 'change',
    front: 'shard_in_query',
    query: shardQuery,
    success: { status: 200, description: 'The archive.', mediaType: 'application/gzip' },
  }),
  getOpenApi: route({
    operationId: 'getOpenApi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'Get this document',
    description:
      'Returns this API description in OpenAPI 3.1, with the URL of this service. The page at `/docs` shows it.',
    tag,
    auth: 'public',
    front: 'front',
    success: {
      status: 200,
      description: 'The OpenAPI document.',
      schema: z.record(z.string(), z.unknown()).meta({ id: 'OpenApiDocument' }),
    },
  }),
} as const
