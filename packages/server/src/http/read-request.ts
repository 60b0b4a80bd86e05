import { isUtf8 } from 'node:buffer'
import { idPrefixes, type RequestBody, type Route } from '@posthorn/contract'
import type { FastifyRequest } from 'fastify'
import { parseTypeId } from '../domain/type-id.ts'
import { AppError, type FieldError } from '../errors.ts'
import { check, type Checked, jsonPointer, validationFailed } from './field-errors.ts'
import { readJson } from './read-json.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The original `Content-Type`. It is hidden from Fastify, so that the size is checked before the type. */
    contentType: string | undefined
  }
}

/** Parses a JSON body before validation. Throws 415, then 400. */
function readPayload(request: FastifyRequest, { mediaTypes }: RequestBody): unknown {
  checkMediaType(request, mediaTypes)
  return readJson(bodyText(request), { complaint: 'The body is not valid JSON.' })
}

/** Refuses a media type or encoding that the operation does not accept. An empty body has neither. */
export function checkMediaType(request: FastifyRequest, mediaTypes: readonly string[]): void {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    throw new AppError(
      'unsupported_media_type',
      'The operation does not accept a compressed body. Send it without Content-Encoding.',
    )
  }
  const isMissing = request.contentType === undefined && isEmpty(request)
  if (isMissing || mediaTypes.includes(mediaTypeOf(request))) return
  throw new AppError('unsupported_media_type', `Send the body with Content-Type: ${mediaTypes.join(' or ')}.`)
}

/** A streamed body counts as not empty. */
function isEmpty({ body }: FastifyRequest): boolean {
  return body === undefined || (Buffer.isBuffer(body) && body.length === 0)
}

/** The media type in lower case without parameters. A charset other than UTF-8 stays, so that it matches nothing. */
export function mediaTypeOf({ contentType = '' }: FastifyRequest): string {
  const [mediaType = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters
    .map(parameter => parameter.trim())
    .find(parameter => parameter.startsWith('charset='))
  const isUtf8Said = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  return isUtf8Said ? mediaType.trim() : contentType
}

/** The body as text. Throws 400 if it is not UTF-8. */
export function bodyText(request: FastifyRequest): string {
  const body = rawBody(request)
  if (!isUtf8(body)) throw new AppError('malformed_json', 'The body is not valid UTF-8.')
  return body.toString()
}

/** The bytes of the body. Empty if there is no body. */
export function rawBody(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : noBytes
}

const noBytes = Buffer.alloc(0)

/** Validates the body and query of a request and reports all errors together. */
export function readInput(route: Route, request: FastifyRequest): { body: unknown; query: unknown } {
  const payload = route.body === undefined ? readNothing(request) : readPayload(request, route.body)
  const body = route.body === undefined ? { data: undefined } : check(route.body.schema, payload)
  const query = readQuery(route, request)
  const errors = [...errorsOf(body), ...errorsOf(query), ...idempotencyKeyErrors(route, request)]
  if ('errors' in body || 'errors' in query || errors.length > 0) throw validationFailed(errors)
  return { body: body.data, query: query.data }
}

/** An operation without a payload accepts an empty body or `{}`, with any media type. */
function readNothing(request: FastifyRequest): undefined {
  const body = rawBody(request)
  if (body.length === 0) return undefined
  if (body.length <= emptyObjectBytesMax && /^\s*\{\s*\}\s*$/.test(body.toString('latin1'))) return undefined
  throw validationFailed([{ path: '', message: 'must be empty or {}: this operation accepts no body' }])
}

/** Enough for `{}` and some white space. */
const emptyObjectBytesMax = 64

/** The validated query parameters, or what is wrong with them. */
export function readQuery(route: Route, request: FastifyRequest): Checked<object> {
  const escapes = escapeErrors(request)
  if (escapes.length > 0) return { errors: escapes }
  const given: unknown = request.query
  if (route.query !== undefined) return check(route.query, given)
  const names = Object.keys(given ?? {})
  if (names.length === 0) return { data: {} }
  return { errors: names.map(name => ({ path: jsonPointer([name]), message: 'is not a known parameter' })) }
}

/** Errors for percent-encoding that is not UTF-8, which Fastify would leave undecoded. */
function escapeErrors({ url }: FastifyRequest): FieldError[] {
  const [, query = ''] = url.split('?', 2)
  if (!query.includes('%')) return []
  return query
    .split('&')
    .filter(parameter => !isDecodable(parameter))
    .map(parameter => {
      const [name = ''] = parameter.split('=')
      const path = jsonPointer([isDecodable(name) ? decodeURIComponent(name) : name])
      return { path, message: 'must be UTF-8 in percent-encoding, such as %C3%A9 for é' }
    })
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export function errorsOf(checked: Checked<unknown>): FieldError[] {
  return 'errors' in checked ? checked.errors : []
}

/** The validated `Idempotency-Key` of a POST, or null. */
export function idempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  return request.method === 'POST' && typeof key === 'string' ? key : null
}

export function idempotencyKeyErrors(route: Route, request: FastifyRequest): FieldError[] {
  const key = route.method === 'POST' ? idempotencyKey(request) : null
  if (key === null || (key.length >= 1 && key.length <= 255)) return []
  return [{ path: '/Idempotency-Key', message: 'must have 1 to 255 characters (this is a header)' }]
}

/** The ids in the path as UUIDs. An invalid id gets the same 404 as an unknown one. */
export function readParams(route: Route, request: FastifyRequest): Record<string, string> {
  const given = request.params as Readonly<Record<string, string>>
  const params: Record<string, string> = {}
  for (const [name, prefix] of Object.entries(route.params ?? {})) {
    const uuid = parseTypeId(prefix, given[name] ?? '')
    if (uuid === null) {
      throw new AppError(
        'not_found',
        `The path does not have the id of ${idPrefixes[prefix]}, which starts with ${prefix}_.`,
      )
    }
    params[name] = uuid
  }
  return params
}
