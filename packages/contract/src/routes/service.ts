import * as z from 'zod'
import { route } from '../route.ts'

const tag = 'Service'

export const serviceRoutes = {
  getHealth: route({
    operationId: 'getHealth',
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the process lives',
    tag,
    auth: 'public',
    success: {
      status: 200,
      description: 'It lives.',
      schema: z.object({ status: z.literal('ok') }).meta({ id: 'Health' }),
    },
  }),
  getReadiness: route({
    operationId: 'getReadiness',
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the service can do its work',
    tag,
    auth: 'public',
    success: {
      status: 200,
      description: 'It can.',
      schema: z.object({ status: z.literal('ready') }).meta({ id: 'Readiness' }),
    },
    errors: ['database_unavailable'],
  }),
  getMetrics: route({
    operationId: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics for Prometheus',
    tag,
    auth: 'public',
    success: { status: 200, description: 'The text format of Prometheus.', mediaType: 'text/plain' },
  }),
  getBackup: route({
    operationId: 'getBackup',
    method: 'GET',
    path: '/v1/backup',
    summary: 'Copy the embedded database',
    description:
      'All of it at one moment, as a compressed tar archive for `posthorn restore`. Secrets in it stay sealed; the master keys are not in it. With a PostgreSQL server it is 404: use its own tools.',
    tag,
    auth: 'operator',
    success: { status: 200, description: 'The archive.', mediaType: 'application/gzip' },
  }),
  getOpenApi: route({
    operationId: 'getOpenApi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    tag,
    auth: 'public',
    success: {
      status: 200,
      description: 'OpenAPI 3.1.',
      schema: z.record(z.string(), z.unknown()).meta({ id: 'OpenApiDocument' }),
    },
  }),
} as const
