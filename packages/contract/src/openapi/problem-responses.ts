import { type ErrorCode, errorCodes } from '../error-codes.ts'
import type { JsonSchema } from '../json-schema.ts'
import { problem } from '../resources/problem.ts'
import type { Route } from '../route.ts'
import { requestIdHeader } from './headers.ts'
import { schemaReference } from './schema-reference.ts'

/** The refusals of an operation, one response for each status with the codes that it can carry. */
export function problemResponses(route: Route): JsonSchema {
  const codesByStatus = Map.groupBy(codesOf(route), code => errorCodes[code])
  const responses = [...codesByStatus].map(([status, codes]) => [status, problemResponse(status, codes)])
  return {
    ...Object.fromEntries(responses),
    default: { description: 'Any other problem.', headers: requestIdHeader, content: content(problemSchema) },
  }
}

/** What can go wrong follows from what an operation takes; only the rest is named in its route. */
function codesOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = []
  const isCounted = !['public', 'session', 'operator', 'operator_or_ingest'].includes(route.auth)
  if (route.auth !== 'public') codes.push('unauthorized', 'insufficient_scope', 'validation_failed')
  if (route.body !== undefined) codes.push('body_too_large', 'unsupported_media_type')
  if (route.body !== undefined && route.body.isStream !== true) codes.push('malformed_json')
  if (route.params !== undefined) codes.push('not_found')
  if (isRepeatable(route)) codes.push('idempotency_key_reused', 'idempotency_key_in_use')
  codes.push(...(route.errors ?? []))
  if (isCounted) codes.push('rate_limited')
  if (route.auth !== 'public') codes.push('database_unavailable')
  return [...new Set(codes)].toSorted((a, b) => errorCodes[a] - errorCodes[b])
}

/** Whether an `Idempotency-Key` makes it safe to repeat: a key belongs to its caller, so nobody reads another's answer. */
export function isRepeatable({ method, auth, body }: Route): boolean {
  return method === 'POST' && auth !== 'public' && body?.isStream !== true
}

function problemResponse(status: number, codes: readonly ErrorCode[]): JsonSchema {
  return {
    description: codes.map(code => `\`${code}\``).join(', '),
    headers: { ...requestIdHeader, ...headersOf(status) },
    content: content({ allOf: [problemSchema, { properties: { code: { enum: codes } } }] }),
  }
}

function headersOf(status: number): JsonSchema {
  const text = { schema: { type: 'string' } }
  const seconds = { schema: { type: 'integer' } }
  if (status === 401) return { 'WWW-Authenticate': text }
  return status === 429 || status === 503 ? { 'Retry-After': seconds } : {}
}

const problemSchema = schemaReference(problem)

function content(schema: JsonSchema): JsonSchema {
  return { 'application/problem+json': { schema } }
}
