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
