import type { OperationId, Route, Routes } from '@posthorn/contract'

/** What an operation takes, by the contract: nothing that it does not, and its path's ids always. */
export type CallInput<Id extends OperationId> = ParamsOf<Routes[Id]> &
  QueryOf<Routes[Id]> &
  BodyOf<Routes[Id]>

/** What an operation answers, by the contract; undefined where the answer is empty or not JSON. */
export type Answer<Id extends OperationId> = OutputOf<Routes[Id]['success']> | DryRunOf<Routes[Id]>

type OutputOf<Said> = Said extends { readonly schema: { readonly _zod: { readonly output: infer Output } } }
  ? Output
  : undefined

type DryRunOf<R extends Route> = R extends { readonly dryRun: infer Said } ? OutputOf<Said> : never

/** The operations that answer page by page. */
export type ListId = {
  [Id in OperationId]: Answer<Id> extends { data: unknown[]; next_cursor: string | null } ? Id : never
}[OperationId]

/** One item of a list. */
export type ItemOf<Id extends ListId> =
  Answer<Id> extends { data: (infer Item)[]; next_cursor: string | null } ? Item : never

export interface CallOptions {
  /** Makes a change repeatable: the service acts once per key and answers the same again. */
  readonly idempotencyKey?: string
  /** Gives up the call, and the waits between its tries. */
  readonly signal?: AbortSignal
}

/** The same, for the code that serves every operation alike. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, QueryValue | undefined>>
  readonly body?: unknown
}

/** Several values of a filter are an array. */
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
