import fc from 'fast-check'
import { type JsonSchema, valuesOf } from './schema-values.ts'
import { spoiled } from './spoil.ts'

/** A request as it goes over the wire. */
export interface ApiRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | null
}

/** The parts of the published document that this generator uses. */
export interface ApiDocument {
  paths: Record<string, Record<string, ApiOperation>>
  components: { schemas: Record<string, JsonSchema> }
}

interface ApiOperation {
  security?: Array<Record<string, string[]>>
  parameters?: Array<{ name: string; in: string; schema: JsonSchema }>
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

/** The caller, and the ids for its requests. */
export interface Asking {
  credentials: readonly string[]
  /** Ids of any kind, for paths and queries. */
  ids: readonly string[]
  /** Ids for bodies, because later answers show what a body stored. */
  idsInBodies: readonly string[]
  /** Operations that this caller does not call. */
  leaves: (method: string, path: string) => boolean
}

/** Requests for the routes of a document: valid ones, nearly valid ones, and raw bytes. */
export function apiRequests(document: ApiDocument, asking: Asking): fc.Arbitrary<ApiRequest> {
  const { schemas } = document.components
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
      .filter(one => !asking.leaves(one.method, one.path)),
  )
  const unknown = fc.oneof(
    fc.stringMatching(/^(wh|evt|dlv|acct|em|rpl)_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
    fc.constantFrom('..', '%00', '%ff', '', 'null', 'x'.repeat(300), '%2e%2e%2f', '-1'),
    fc.string({ maxLength: 20 }).map(escaped),
  )
  const anyId = fc.oneof(fc.constantFrom(...asking.ids), unknown)
  /** Mostly an id of the right kind. */
  const idFor = ({ schema }: { schema: JsonSchema }): fc.Arbitrary<string> => {
    const prefix = /^\^([a-z]+_)/.exec(String(schema['pattern']))?.[1]
    const fitting = asking.ids.filter(id => prefix !== undefined && id.startsWith(prefix))
    return fitting.length === 0
      ? anyId
      : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fitting) }, anyId)
  }

  return fc.oneof(
    ...operations.map(({ path, method, operation }) => {
      const { parameters = [], requestBody } = operation
      const inQuery = parameters.filter(one => one.in === 'query')
      const inPath = parameters.filter(one => one.in === 'path')
      const pieces = path.split(/\{\w+\}/)
      return fc
        .record({
          ids: fc.tuple(...inPath.map(idFor)),
          query: fc.tuple(...inQuery.map(one => queryPart(one, anyId, schemas)), seldom(strayPart)),
          body: bodies(requestBody, schemas, asking),
          credential: fc.constantFrom(...asking.credentials),
          headers: strayHeaders,
        })
        .map(({ ids, query, body, credential, headers }): ApiRequest => {
          const parts = query.filter(part => part !== null)
          return {
            method,
            path:
              pieces.map((piece, n) => piece + (ids[n] ?? '')).join('') +
              (parts.length > 0 ? `?${parts.join('&')}` : ''),
            headers: {
              ...(credential !== '' && { authorization: credential }),
              ...(body !== null && { 'content-type': body.mediaType }),
              ...headers,
            },
            body: body?.bytes ?? null,
          }
        })
    }),
  )
}

function queryPart(
  { name, schema }: { name: string; schema: JsonSchema },
  ids: fc.Arbitrary<string>,
  schemas: ApiDocument['components']['schemas'],
): fc.Arbitrary<string | null> {
  const right = valuesOf(schema, { named: schemas }).map(value => escaped(String(value)))
  const value = fc.oneof(
    { weight: 4, arbitrary: right },
    { weight: 1, arbitrary: ids },
    fc.string().map(escaped),
  )
  const part = value.map(text => `${name}=${text}`)
  // a cursor cannot be guessed
  return seldom(part, name === 'cursor' ? 20 : 4)
}

function seldom<T>(arbitrary: fc.Arbitrary<T>, weight = 15): fc.Arbitrary<T | null> {
  return fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
}

const strayPart = fc.oneof(
  fc.constantFrom(
    'limit=1&limit=2',
    'cursor=AAAA',
    'cursor[]=1',
    '__proto__=1',
    'limit=%zz',
    '&&=',
    '%00=%00',
  ),
  fc.string().map(text => `stray=${escaped(text)}`),
)

const strayHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 20, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, string>>(
    { 'content-encoding': 'gzip' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'x-http-method-override': 'DELETE' },
    { 'x-forwarded-for': '127.0.0.1' },
    { cookie: '__Host-posthorn=phs_nobody; posthorn=%00' },
    { 'if-none-match': '*', range: 'bytes=0-1', origin: 'null' },
    { accept: 'application/xml' },
  ),
  fc.stringMatching(/^[!-~]{1,300}$/).map(key => ({ 'idempotency-key': key })),
  // a small set, so that different requests use the same key
  fc.constantFrom('one', 'two', 'three').map(key => ({ 'idempotency-key': key })),
  fc
    .tuple(fc.stringMatching(/^x-[a-z-]{1,30}$/), fc.stringMatching(/^[ -~]{0,500}$/))
    .map(([name, value]) => ({ [name]: value })),
)

type Body = { bytes: Buffer; mediaType: string } | null

function bodies(
  requestBody: ApiOperation['requestBody'],
  schemas: ApiDocument['components']['schemas'],
  { idsInBodies }: Asking,
): fc.Arbitrary<Body> {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map(one => Buffer.from(one)),
    fc
      .constantFrom('', '{', '[]', 'null', '{"a":1,"a":2}', '\ufeff{}', '['.repeat(20_000))
      .map(one => Buffer.from(one)),
  )
  const media = Object.entries(requestBody?.content ?? {})
  if (media.length === 0) {
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant(null) },
      bytes.map(one => ({ bytes: one, mediaType: 'application/json' })),
    )
  }
  return fc.oneof(
    ...media.map(([mediaType, { schema }]) => {
      const values = fc.oneof(valuesOf(schema, { named: schemas }), {
        weight: 2,
        arbitrary: valuesOf(schema, { named: schemas, isSparse: true }),
      })
      const texts = fc
        .tuple(fc.oneof({ weight: 2, arbitrary: values }, spoiled(values)), fc.nat())
        .map(([value, n]) => asText(mediaType, withIds(value, idsInBodies, n)))
      return fc
        .oneof({ weight: 9, arbitrary: texts.map(text => Buffer.from(text)) }, bytes)
        .map(one => ({ bytes: one, mediaType }))
    }),
  )
}

function asText(mediaType: string, value: unknown): string {
  if (mediaType === 'application/x-ndjson' && Array.isArray(value))
    return value.map(one => JSON.stringify(one)).join('\n')
  if (!mediaType.includes('json')) return String(value)
  return JSON.stringify(value) ?? 'null'
}

/** Replaces generated ids with existing ones. */
function withIds(value: unknown, ids: readonly string[], n: number): unknown {
  if (typeof value === 'string') {
    const prefix = /^([a-z]+)_[0-7][0-9a-z]{25}$/.exec(value)?.[1]
    const fitting = ids.filter(id => prefix !== undefined && id.startsWith(`${prefix}_`))
    return fitting[n % fitting.length] ?? value
  }
  if (Array.isArray(value)) return value.map(one => withIds(one, ids, n))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withIds(one, ids, n)]))
}

/** A URL cannot contain a lone surrogate. */
function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
