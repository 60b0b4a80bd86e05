import type { AccountAuth, OutputOf, Route, Routes } from '@posthorn/contract'
import type { Ctx } from '../context.ts'

/** The parsed input of a handler, with ids as UUIDs. */
export interface OperationInput<R extends Route = Route> {
  /** The account of the API key, or null for the operator. */
  readonly accountId: R['auth'] extends AccountAuth
    ? string
    : R['auth'] extends 'operator_or_read' | 'operator_or_send'
      ? string | null
      : null
  readonly params: { readonly [Name in keyof R['params']]: string }
  readonly query: OutputOf<R['query']>
  readonly body: R['body'] extends { readonly schema: infer Schema } ? OutputOf<Schema> : undefined
  /** The trace that the request belongs to; null without one. */
  readonly traceparent: string | null
}

/** What a handler returns, according to its route. */
type OperationAnswer<R extends Route> =
  | (R['success'] extends { readonly schema: infer Schema } ? OutputOf<Schema> : void)
  | (R['dryRun'] extends { readonly schema: infer Schema } ? OutputOf<Schema> : never)

/** The implementation of one route. */
export interface Operation<R extends Route> {
  readonly run: (ctx: Ctx, input: OperationInput<R>) => Promise<OperationAnswer<R>>
  /**
   * The response waits until no process acts on the old state. Every process signs, sends and authenticates with state
   * that is at most a second old.
   */
  readonly gracePeriod?: true
  /** Runs before the transaction that stores the response for an `Idempotency-Key`. It is slow and safe to repeat. */
  readonly outsideTransaction?: true
}

/** Routes with their own handlers, because they do more than call one verb. */
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
  | 'getProxyOperator'
  | 'createProxySession'
  | 'getSession'
  | 'deleteSession'
  | 'exchangePortalSession'

/** The implementations of all other routes. */
export type Operations = {
  readonly [Id in Exclude<keyof Routes, SpecialOperationId>]: Operation<Routes[Id]>
}
