import * as z from 'zod'
import { id } from '../ids.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Auth, RequestBody, Route, Success } from '../route.ts'
import {
  idempotencyKeyParameter,
  idempotencyReplayedHeader,
  rateLimitHeaders,
  requestIdHeader,
} from './headers.ts'
import { isRepeatable, problemResponses } from './problem-responses.ts'
import { schemaReference } from './schema-reference.ts'

/** One operation as OpenAPI describes it. */
export function operation(route: Route): JsonSchema {
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    tags: [route.tag],
    security: security(route.auth),
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route.query),
      ...(isRepeatable(route) ? [idempotencyKeyParameter] : []),
    ],
    ...(route.body !== undefined && { requestBody: requestBody(route.body) }),
    responses: {
      [route.success.status]: success(route, route.success),
      ...(route.dryRun !== undefined && { [route.dryRun.status]: success(route, route.dryRun) }),
      ...problemResponses(route),
    },
  }
}

function security(auth: Auth): JsonSchema[] {
  switch (auth) {
    case 'public':
      return []
    case 'session':
      return [{ sessionCookie: [] }, { sessionToken: [] }]
    case 'operator':
      return [{ operatorToken: [] }]
    case 'operator_or_ingest':
      return [{ operatorToken: [] }, { apiKey: ['ingest'] }]
    case 'operator_or_send':
      return [{ operatorToken: [] }, { apiKey: ['send'] }]
    case 'operator_or_read':
      return [{ operatorToken: [] }, { apiKey: ['read'] }]
    case 'read':
    case 'send':
    case 'ingest':
      return [{ apiKey: [auth] }]
  }
}

function pathParameters(route: Route): JsonSchema[] {
  return Object.entries(route.params ?? {}).map(([name, prefix]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaReference(id(prefix)),
  }))
}

function queryParameters(query: z.ZodObject | undefined): JsonSchema[] {
  return Object.entries(query?.shape ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schemaReference(schema as z.ZodType)
    return {
      name,
      in: 'query',
      required: false,
      ...(description !== undefined && { description }),
      schema: rest,
    }
  })
}

function requestBody({ schema, lineSchema, mediaTypes }: RequestBody): JsonSchema {
  const content = mediaTypes.map(mediaType => {
    const isLines = mediaType === 'application/x-ndjson' && lineSchema !== undefined
    return [mediaType, { schema: schemaReference(isLines ? lineSchema : schema) }]
  })
  return { required: true, content: Object.fromEntries(content) }
}

function success(route: Route, { status, description, schema, mediaType }: Success): JsonSchema {
  const { auth } = route
  const isCounted =
    auth === 'read' || auth === 'send' || auth === 'operator_or_read' || auth === 'operator_or_send'
  const body = schema === undefined ? { type: 'string' } : schemaReference(schema)
  return {
    description,
    headers: {
      ...requestIdHeader,
      ...(isRepeatable(route) && idempotencyReplayedHeader),
      ...(isCounted && rateLimitHeaders),
    },
    ...(status !== 204 && { content: { [mediaType ?? 'application/json']: { schema: body } } }),
  }
}
