/**
 * Receives webhooks in AWS Lambda: API Gateway (REST and HTTP), load balancers and function URLs.
 *
 * @module
 */
import type { AdapterOptions, EventHandler } from './adapter-options.ts'
import { bodyBytes } from './body-bytes.ts'
import { checkOptions } from './check-options.ts'
import { WebhookPayloadError } from './errors.ts'
import type { WebhookEvent } from './events.ts'
import { opener } from './open.ts'
import { tooLarge } from './read-request-body.ts'
import { receive } from './receive.ts'

export type { AdapterOptions, EventHandler } from './adapter-options.ts'

/** The part of a Lambda HTTP event that the handler needs, in all its versions. */
export interface LambdaRequest {
  readonly body?: string | null | undefined
  readonly isBase64Encoded?: boolean | undefined
  readonly headers?: { readonly [name: string]: string | undefined } | null | undefined
  readonly multiValueHeaders?: { readonly [name: string]: readonly string[] | undefined } | null | undefined
  readonly httpMethod?: string | undefined
  /** Its shape depends on the version. For HTTP APIs, the handler reads `http.method`. */
  readonly requestContext?: unknown
}

/** The response that Lambda sends. */
export interface LambdaResponse {
  statusCode: number
  headers: Record<string, string>
  /** A load balancer that sends multi-value headers reads this instead of `headers`. */
  multiValueHeaders?: Record<string, string[]>
  body: string
  isBase64Encoded: boolean
}

/**
 * A function handler for Lambda.
 *
 * @example
 * export const handler = createLambdaHandler({ secrets: secret }, updateContact)
 */
export function createLambdaHandler<
  E extends { id: string; type: string } = WebhookEvent,
  R extends LambdaRequest = LambdaRequest,
>(options: AdapterOptions, fn: EventHandler<R, E>): (request: R) => Promise<LambdaResponse> {
  const checked = checkOptions(options)
  const open = opener(checked)
  return async request => {
    const delivery = {
      method: request.httpMethod ?? methodIn(request.requestContext) ?? '',
      headers: headersOf(request),
      readBody: async () => bodyOf(request, checked.maxBodyBytes),
    }
    const run = async (event: E, verified: Parameters<typeof fn>[1]['verified']) =>
      void (await fn(event, { request, verified }))
    const answer = await receive<E, never>(delivery, open, run, options)
    const { status: statusCode, headers, body } = answer
    const multiValueHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    )
    const hasOnlyLists = !request.headers && request.multiValueHeaders
    return { statusCode, headers, ...(hasOnlyLists && { multiValueHeaders }), body, isBase64Encoded: false }
  }
}

function methodIn(context: unknown): string | undefined {
  return (context as { http?: { method?: string } } | null | undefined)?.http?.method
}

/** `headers` of a REST API has only the last of repeated headers. Either field may lack some headers. */
function headersOf({
  headers,
  multiValueHeaders,
}: LambdaRequest): Record<string, string | readonly string[]> {
  const lists = Object.entries(multiValueHeaders ?? {}).filter(([, values]) => values?.length)
  const listed = new Set(lists.map(([name]) => name.toLowerCase()))
  const others = Object.entries(headers ?? {}).filter(([name]) => !listed.has(name.toLowerCase()))
  return Object.fromEntries([...others, ...lists]) as Record<string, string | readonly string[]>
}

function bodyOf(request: LambdaRequest, maxBytes: number): Uint8Array {
  const body = request.body ?? ''
  const isBase64 = request.isBase64Encoded === true && typeof body === 'string'
  const bytes = isBase64 ? fromBase64(body) : bodyBytes(body)
  if (bytes.length > maxBytes) throw tooLarge()
  return bytes
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0))
  } catch {
    throw new WebhookPayloadError('body_missing', 'isBase64Encoded is true, but the body is not base64')
  }
}
