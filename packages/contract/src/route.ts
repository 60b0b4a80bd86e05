import type * as z from 'zod'
import type { ErrorCode } from './error-codes.ts'
import type { IdPrefix } from './id-prefix.ts'
import type { Scope } from './scope.ts'
import type { Tag } from './tags.ts'

/**
 * One operation of the API. The server registers and validates by it, the OpenAPI document and clients are
 * derived from it.
 */
export interface Route {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters as `{name}`. */
  readonly path: string
  /** Says in a few words what it does, verb first. */
  readonly summary: string
  /** Says what happens, and what the caller does before or after. */
  readonly description: string
  readonly tag: Tag
  /** Who may call it. */
  readonly auth: Auth
  /** The kind of id that each parameter of the path is; a text that is not such an id is a 404. */
  readonly params?: Readonly<Record<string, IdPrefix>>
  /** Without it the operation takes no query parameter. */
  readonly query?: z.ZodObject
  /** Without it the operation takes no payload. */
  readonly body?: RequestBody
  readonly success: Success
  /** What it answers when it is asked to try and change nothing. */
  readonly dryRun?: Success
  /** The refusals that are particular to this operation. */
  readonly errors?: readonly ErrorCode[]
}

/** Nobody in particular, who is signed in, the operator, an API key with that scope, or either of them. */
export type Auth =
  | 'public'
  | 'session'
  | 'operator'
  | Scope
  | 'operator_or_ingest'
  | 'operator_or_read'
  | 'operator_or_send'

export interface RequestBody {
  readonly schema: z.ZodType
  /** Of one line, where the media type is a list of lines. */
  readonly lineSchema?: z.ZodType
  readonly mediaTypes: readonly string[]
  readonly bytesMax: number
  /** It is read as it arrives, so that no Idempotency-Key can stand for it; sending it twice must change nothing. */
  readonly isStream?: true
}

export interface Success {
  readonly status: 200 | 201 | 202 | 204
  readonly description: string
  /** Without it the answer has no body, or one that is not JSON. */
  readonly schema?: z.ZodType
  readonly mediaType?: string
}

/** What a schema makes of a valid value; undefined where there is no schema. */
export type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** Whatever checks a value and says what it is then. */
export type Schema<Output> = z.ZodType<Output>

/** What a schema has against a value. */
export type SchemaError = z.ZodError

/** A payload of JSON within the usual megabyte. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return { schema, mediaTypes: ['application/json'], bytesMax: 1024 * 1024 } as const
}

/** A payload of JSON from somebody without a credential: held until it is whole, it must be small. */
export function smallJson<Schema extends z.ZodType>(schema: Schema) {
  return { schema, mediaTypes: ['application/json'], bytesMax: publicBodyBytesMax } as const
}

/** The most that an operation takes from somebody without a credential. */
export const publicBodyBytesMax = 4 * 1024

/** Keeps the exact type of a route while checking that it is one. */
export function route<const R extends Route>(definition: R): R {
  return definition
}
