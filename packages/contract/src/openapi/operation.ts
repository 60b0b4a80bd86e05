import type * as z from 'zod'
import type { Example } from '../examples/example.ts'
import { exampleIds } from '../examples/example-ids.ts'
import { examples } from '../examples.ts'
import { idPrefixes } from '../id-prefix.ts'
import { id } from '../ids.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { RequestBody, Route, Success } from '../route.ts'
import { curlSample } from './curl-sample.ts'
import {
  idempotencyKeyParameter,
  idempotencyReplayedHeader,
  rateLimitHeaders,
  requestIdHeader,
} from './headers.ts'
import { isRepeatable, problemResponses } from './problem-responses.ts'
import { schemaReference } from './schema-reference.ts'

/** The OpenAPI description of one operation. */
export function operation(route: Route, serverUrl: string): JsonSchema {
  const example: Example = (examples as Readonly<Record<string, Example>>)[route.operationId] ?? {}
  const { success, dryRun } = route
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    security: security(route),
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route.query, example.query ?? {}),
      ...(isRepeatable(route) ? [idempotencyKeyParameter] : []),
    ],
    ...(route.body !== undefined && { requestBody: requestBody(route.body, example) }),
    responses: {
      [success.status]: response(route, success, example.answer),
      ...(dryRun !== undefined && { [dryRun.status]: response(route, dryRun, example.dryRun?.answer) }),
      ...problemResponses(route),
    },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlSample(route, example, serverUrl) }],
  }
}

function security({ auth, role }: Route): JsonSchema[] {
  const operatorToken = role === undefined ? [] : [role]
  switch (auth) {
    case 'public':
      return []
    case 'session':
      return [{ sessionCookie: [] }, { sessionToken: [] }]
    case 'operator':
      return [{ operatorToken }]
    case 'operator_or_ingest':
      return [{ operatorToken }, { apiKey: ['ingest'] }]
    case 'operator_or_send':
      return [{ operatorToken }, { apiKey: ['send'] }]
    case 'operator_or_read':
      return [{ operatorToken }, { apiKey: ['read'] }]
    case 'read':
    case 'send':
    case 'ingest':
      return [{ apiKey: [auth] }]
    case 'send_and_keys':
      return [{ apiKey: ['send', 'keys'] }]
  }
}

function pathParameters(route: Route): JsonSchema[] {
  return Object.entries(route.params ?? {}).map(([name, prefix]) => ({
    name,
    in: 'path',
    required: true,
    description: `The id of ${idPrefixes[prefix]}.`,
    schema: schemaReference(id(prefix)),
    example: exampleIds[prefix],
  }))
}

function queryParameters(
  query: z.ZodObject | undefined,
  values: Readonly<Record<string, string>>,
): JsonSchema[] {
  return Object.entries(query?.shape ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schemaReference(schema as z.ZodType)
    const required = !(schema as z.ZodType).safeParse(undefined).success
    const value = values[name]
    return {
      name,
      in: 'query',
      required,
      ...(description !== undefined && { description }),
      schema: rest,
      ...(value !== undefined && { example: rest['type'] === 'integer' ? Number(value) : value }),
    }
  })
}

function requestBody({ schema, lineSchema, mediaTypes }: RequestBody, example: Example): JsonSchema {
  const content = mediaTypes.map(mediaType => {
    const isLines = mediaType === 'application/x-ndjson' && lineSchema !== undefined
    const shown = isLines ? { example: toLines(example.body) } : examplesOf(example)
    return [mediaType, { schema: schemaReference(isLines ? lineSchema : schema), ...shown }]
  })
  return { required: true, content: Object.fromEntries(content) }
}

function examplesOf({ body, dryRun }: Example): JsonSchema {
  if (dryRun === undefined) return { example: body }
  const only = { summary: 'Count only', value: dryRun.body }
  return { examples: { run: { summary: 'Run', value: body }, dry_run: only } }
}

/** As NDJSON: one item per line. */
function toLines(body: unknown): string {
  return [body]
    .flat()
    .map(item => `${JSON.stringify(item)}\n`)
    .join('')
}

function response(
  route: Route,
  { status, description, schema, mediaType }: Success,
  example: unknown,
): JsonSchema {
  const { auth } = route
  const isCounted =
    auth === 'read' ||
    auth === 'send' ||
    auth === 'send_and_keys' ||
    auth === 'operator_or_read' ||
    auth === 'operator_or_send'
  const body = schema === undefined ? { type: 'string' } : schemaReference(schema)
  const content = { schema: body, ...(example !== undefined && { example }) }
  return {
    description,
    headers: {
      ...requestIdHeader,
      ...(isRepeatable(route) && idempotencyReplayedHeader),
      ...(isCounted && rateLimitHeaders),
    },
    ...(status !== 204 && { content: { [mediaType ?? 'application/json']: content } }),
  }
}
