import type * as z from 'zod'
import type { ErrorCode } from './error-codes.ts'
import type { FrontRule } from './front-rule.ts'
import type { IdPrefix } from './id-prefix.ts'
import type { OperatorRole } from './operator-role.ts'
import type { Scope } from './scope.ts'
import type { Tag } from './tags.ts'

/**
 * One operation of the API. The server routes and validates requests with it. The OpenAPI document and the clients are
 * derived from it.
 */
export type Route = RouteForAccounts | RouteForOperators

interface RouteForAccounts extends RouteFacts {
  readonly auth: Exclude<Auth, OperatorAuth>
  readonly role?: never
}

interface RouteForOperators extends RouteFacts {
  readonly auth: OperatorAuth
  /** The role that an operator needs. */
  readonly role: OperatorRole
}

interface RouteFacts {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are written as `{name}`. */
  readonly path: string
  /** A few words, starting with a verb. */
  readonly summary: string
  /** What happens, and what the caller should do before or after. */
  readonly description: string
  readonly tag: Tag
  /** How a front finds the shard that serves it. */
  readonly front: FrontRule
  /** The id prefix of each path parameter. A value that is not such an id is a 404. */
  readonly params?: Readonly<Record<string, IdPrefix>>
  /** If missing, the operation accepts no query parameters. */
  readonly query?: z.ZodObject
  /** If missing, the operation accepts no body. */
  readonly body?: RequestBody
  readonly success: Success
  /** The response to a dry run. */
  readonly dryRun?: Success
  /** Errors that only this operation has. */
  readonly errors?: readonly ErrorCode[]
}

/** Who may call: anyone, a dashboard session, the operator, an API key with the scopes, or the operator and a key. */
export type Auth = 'public' | 'session' | AccountAuth | OperatorAuth

/** Operators may call, and API keys with the scope. */
export type OperatorAuth = 'operator' | 'operator_or_ingest' | 'operator_or_read' | 'operator_or_send'

/** Only API keys and sessions of an account may call. `send_and_keys` needs both scopes. */
export type AccountAuth = Exclude<Scope, 'keys'> | 'send_and_keys'

export interface RequestBody {
  readonly schema: z.ZodType
  /** The schema of one line, if the media type is NDJSON. */
  readonly lineSchema?: z.ZodType
  readonly mediaTypes: readonly string[]
  readonly bytesMax: number
  /** The body is read as it arrives, so an `Idempotency-Key` cannot cover it. Sending it twice must be harmless. */
  readonly isStream?: true
}

export interface Success {
  readonly status: 200 | 201 | 202 | 204
  readonly description: string
  /** If missing, the response has no body or is not JSON. */
  readonly schema?: z.ZodType
  readonly mediaType?: string
}

/** The parsed type of a schema, or undefined if there is no schema. */
export type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** A schema that returns `Output`. */
export type Schema<Output> = z.ZodType<Output>

/** Why a schema rejects a value. */
export type SchemaError = z.ZodError

/** A JSON body of at most 1 MiB. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return { schema, mediaTypes: ['application/json'], bytesMax: 1024 * 1024 } as const
}

/** A small JSON body, because a caller without a credential could fill the memory with large ones. */
export function smallJson<Schema extends z.ZodType>(schema: Schema) {
  return { schema, mediaTypes: ['application/json'], bytesMax: publicBodyBytesMax } as const
}

/** The size limit for bodies of callers without a credential. */
export const publicBodyBytesMax = 4 * 1024

/** Checks the definition and keeps its exact type. */
export function route<const R extends Route>(definition: R): R {
  return definition
}
