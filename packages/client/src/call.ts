import type { OperationId, Route, Routes } from '@posthorn/contract'

/** The input of an operation, derived from the contract. */
export type CallInput<Id extends OperationId> = ParamsOf<Routes[Id]> &
  QueryOf<Routes[Id]> &
  BodyOf<Routes[Id]>

/** The response of an operation, derived from the contract. Undefined if it is empty or not JSON. */
export type Answer<Id extends OperationId> = OutputOf<Routes[Id]['success']> | DryRunOf<Routes[Id]>

type OutputOf<Said> = Said extends { readonly schema: { readonly _zod: { readonly output: infer Output } } }
  ? Output
  : undefined

type DryRunOf<R extends Route> = R extends { readonly dryRun: infer Said } ? OutputOf<Said> : never

/** The operations that return pages. */
export type ListId = {
  [Id in OperationId]: Answer<Id> extends { data: unknown[]; next_cursor: string | null } ? Id : never
}[OperationId]

/** One item of a list. */
export type ItemOf<Id extends ListId> =
  Answer<Id> extends { data: (infer Item)[]; next_cursor: string | null } ? Item : never

export interface CallOptions {
  /** Makes a change safe to repeat: for each key, the service acts once and then returns the same response. */
  readonly idempotencyKey?: string
  /** Aborts the call and its retries. */
  readonly signal?: AbortSignal
}

/** The input of any operation, for code that handles them all. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, QueryValue | undefined>>
  readonly body?: unknown
}

/** Use an array to pass several values of a filter. */
type QueryValue = string | number | readonly string[]

type ParamsOf<R extends Route> = R extends { readonly params: infer Params }
  ? { readonly params: { readonly [Name in keyof Params]: string } }
  : { readonly params?: never }

type QueryOf<R extends Route> = R extends {
  readonly query: { readonly _zod: { readonly output: infer Query } }
}
  ? { readonly query?: { readonly [Name in keyof Query]?: QueryValue | undefined } }
  : { readonly query?: never }

type BodyOf<R extends Route> = R extends {
  readonly body: { readonly schema: { readonly _zod: { readonly input: infer Body } } }
}
  ? { readonly body: Body }
  : { readonly body?: never }
