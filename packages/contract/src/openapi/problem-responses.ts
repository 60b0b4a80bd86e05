import { errorAdvice } from '../error-advice.ts'
import { type ErrorCode, errorCodes } from '../error-codes.ts'
import type { JsonSchema } from '../json-schema.ts'
import { problem } from '../resources/problem.ts'
import type { Route } from '../route.ts'
import { requestIdHeader } from './headers.ts'
import { schemaReference } from './schema-reference.ts'

/** The error responses of an operation: one for each status, with its possible codes. */
export function problemResponses(route: Route): JsonSchema {
  const responses = [...codesByStatus(route)].map(([status, codes]) => [status, reference(nameOf(codes))])
  return { ...Object.fromEntries(responses), default: reference(anyProblem) }
}

/** The responses that `problemResponses` refers to, by name. Many operations share them. */
export function sharedProblemResponses(routes: readonly Route[]): Record<string, JsonSchema> {
  const responses = routes.flatMap(route =>
    [...codesByStatus(route)].map(([status, codes]): [string, JsonSchema] => [
      nameOf(codes),
      problemResponse(status, codes),
    ]),
  )
  const other = {
    description: 'Any other error. `detail` says what to do.',
    headers: requestIdHeader,
    content: { 'application/problem+json': { schema: problemSchema } },
  }
  return Object.fromEntries([...responses, [anyProblem, other]].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const anyProblem = 'OtherProblem'

function reference(name: string): JsonSchema {
  return { $ref: `#/components/responses/${name}` }
}

/** `not_found` becomes `NotFound`. Several codes are joined with `Or`. */
function nameOf(codes: readonly ErrorCode[]): string {
  const pascal = (code: string): string =>
    code.replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())
  return codes.map(pascal).join('Or')
}

function codesByStatus(route: Route): Map<number, ErrorCode[]> {
  return Map.groupBy(codesOf(route), code => errorCodes[code])
}

/** Derives most codes from what the operation accepts. Its route lists only the others. */
function codesOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = []
  const isCounted = !['public', 'session', 'operator', 'operator_or_ingest'].includes(route.auth)
  if (route.auth !== 'public') codes.push('unauthorized', 'insufficient_scope', 'validation_failed')
  if (route.role === 'change') codes.push('insufficient_role')
  if (route.body !== undefined) codes.push('body_too_large', 'unsupported_media_type')
  if (route.body !== undefined && route.body.isStream !== true) codes.push('malformed_json')
  if (route.params !== undefined) codes.push('not_found')
  if (isRepeatable(route)) codes.push('idempotency_key_reused', 'idempotency_key_in_use')
  codes.push(...(route.errors ?? []))
  if (isCounted) codes.push('rate_limited')
  if (route.auth !== 'public') codes.push('database_unavailable')
  return [...new Set(codes)].toSorted((a, b) => errorCodes[a] - errorCodes[b])
}

/** Whether an operation accepts an `Idempotency-Key`. Keys belong to callers, so a public operation cannot have one. */
export function isRepeatable({ method, auth, body }: Route): boolean {
  return method === 'POST' && auth !== 'public' && body?.isStream !== true
}

function problemResponse(status: number, codes: readonly ErrorCode[]): JsonSchema {
  const examples = codes.map(code => [code, { summary: code, value: exampleOf(code) }])
  return {
    description: codes.map(code => `- \`${code}\`: ${errorAdvice[code]}`).join('\n'),
    headers: { ...requestIdHeader, ...headersOf(status) },
    content: {
      'application/problem+json': { schema: problemSchema, examples: Object.fromEntries(examples) },
    },
  }
}

function exampleOf(code: ErrorCode): object {
  const status = errorCodes[code]
  return {
    type: 'about:blank',
    title: titles[status],
    status,
    detail: errorAdvice[code],
    code,
    request_id: '6f0e4d0e-5d6a-4c53-9d0e-0a8f3f0f9a1b',
    ...(code === 'validation_failed' && { errors: [{ path: '/name', message: 'is required' }] }),
  }
}

/** The names that HTTP gives them. The service gets them from Node, which this package must not import. */
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

function headersOf(status: number): JsonSchema {
  if (status === 401) {
    return { 'WWW-Authenticate': { schema: { type: 'string' }, description: 'Always `Bearer`.' } }
  }
  const retryAfter = { schema: { type: 'integer' }, description: 'Seconds to wait before you try again.' }
  return status === 429 || status === 503 ? { 'Retry-After': retryAfter } : {}
}

const problemSchema = schemaReference(problem)
