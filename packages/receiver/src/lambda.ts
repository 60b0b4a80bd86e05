/**
 * Webhooks in AWS Lambda: API Gateway (REST and HTTP), load balancers, function URLs.
 *
 * @module
 */
import type { AdapterOptions, EventHandler } from './adapter-options.ts'
import { checkOptions } from './check-options.ts'
import { WebhookPayloadError } from './errors.ts'
import type { WebhookEvent } from './events.ts'
import { opener } from './open.ts'
import { tooLarge } from './read-request-body.ts'
import { receive } from './receive.ts'

export type { AdapterOptions, EventHandler } from './adapter-options.ts'

/** As much of an HTTP event of Lambda as is needed, in all its versions. */
export interface LambdaRequest {
  readonly body?: string | null | undefined
  readonly isBase64Encoded?: boolean | undefined
  readonly headers?: { readonly [name: string]: string | undefined } | null | undefined
  readonly multiValueHeaders?: { readonly [name: string]: readonly string[] | undefined } | null | undefined
  readonly httpMethod?: string | undefined
  readonly requestContext?: { readonly http?: { readonly method?: string | undefined } | undefined }
}

/** What Lambda sends back. */
export interface LambdaResponse {
  statusCode: number
  headers: Record<string, string>
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
      method: request.httpMethod ?? request.requestContext?.http?.method ?? '',
      // REST APIs give the last of repeated headers in `headers`, and all of them here.
      headers: request.multiValueHeaders ?? request.headers ?? undefined,
      readBody: async () => bodyOf(request, checked.maxBodyBytes),
    }
    const run = async (event: E, verified: Parameters<typeof fn>[1]['verified']) =>
      void (await fn(event, { request, verified }))
    const answer = await receive<E, never>(delivery, open, run, options)
    return { statusCode: answer.status, headers: answer.headers, body: answer.body, isBase64Encoded: false }
  }
}

function bodyOf(request: LambdaRequest, maxBytes: number): Uint8Array {
  const body = request.body ?? ''
  const bytes = request.isBase64Encoded === true ? fromBase64(body) : new TextEncoder().encode(body)
  if (bytes.length > maxBytes) throw tooLarge()
  return bytes
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0))
  } catch {
    throw new WebhookPayloadError('body_missing', 'the body is said to be base64 and is not')
  }
}
