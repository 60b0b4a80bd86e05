import type { OutputOf, Route, Routes, Scope } from '@posthorn/contract'
import type { Ctx } from '../context.ts'

/** What a handler is given: everything parsed, ids as UUIDs. */
export interface OperationInput<R extends Route = Route> {
  /** Of the API key; null for the operator. */
  readonly accountId: R['auth'] extends Scope
    ? string
    : R['auth'] extends 'operator_or_read' | 'operator_or_send'
      ? string | null
      : null
  readonly params: { readonly [Name in keyof R['params']]: string }
  readonly query: OutputOf<R['query']>
  readonly body: R['body'] extends { readonly schema: infer Schema } ? OutputOf<Schema> : undefined
}

/** What a handler returns: what the route says it answers with. */
type OperationAnswer<R extends Route> =
  | (R['success'] extends { readonly schema: infer Schema } ? OutputOf<Schema> : void)
  | (R['dryRun'] extends { readonly schema: infer Schema } ? OutputOf<Schema> : never)

/** How one route of the contract is served. */
export interface Operation<R extends Route> {
  readonly run: (ctx: Ctx, input: OperationInput<R>) => Promise<OperationAnswer<R>>
  /**
   * The answer waits until no process can still act on the state before: nothing is signed, sent or let in later
   * than a second after it was read.
   */
  readonly gracePeriod?: true
  /** It waits for others and changes nothing that a second time would not: with an Idempotency-Key it runs before the transaction that keeps its answer. */
  readonly outsideTransaction?: true
}

/** The routes that are no plain call of a verb and are registered by themselves. */
type SpecialOperationId =
  | 'reportOutcomes'
  | 'reportPostfix'
  | 'reportKumomta'
  | 'reportMessage'
  | 'importSuppressions'
  | 'exportSuppressions'
  | 'getHealth'
  | 'getReadiness'
  | 'getMetrics'
  | 'getBackup'
  | 'getOpenApi'
  | 'getSystem'
  | 'getSystemHealth'
  | 'createSession'
  | 'getSession'
  | 'deleteSession'
  | 'exchangePortalSession'

/** How every other route is served. */
export type Operations = {
  readonly [Id in Exclude<keyof Routes, SpecialOperationId>]: Operation<Routes[Id]>
}
