import type { Route } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import type { OnceAnswer } from '../idempotency/once-request.ts'
import { runOnce } from '../idempotency/run-once.ts'
import { believedMs } from './ask-recently.ts'
import { accountOf, actorOf } from './caller.ts'
import type { Operation, OperationInput } from './operation.ts'
import { traceparentOf } from './trace-requests.ts'
import { idempotencyKey, rawBody, readInput, readParams } from './read-request.ts'

export interface ServeDependencies {
  readonly ctx: Ctx
  /** Resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<void>
}

/** Serves one operation: reads the request, runs the verb once per `Idempotency-Key`, and answers after the commit. */
export function serveOperation(
  route: Route,
  operation: Operation<Route>,
  { ctx: ctxOfApp, wait }: ServeDependencies,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const { body, query } = readInput(route, request)
    const params = readParams(route, request)
    const accountId = request.caller === null ? null : accountOf(request.caller)
    const ctx = { ...ctxOfApp, actor: actorOf(request) }
    const input = { accountId, params, query, body, traceparent: traceparentOf(request) }
    const run = async (ctxOfRun: Ctx): Promise<OnceAnswer> => ({
      status: statusFor(route, body),
      body: (await operation.run(ctxOfRun, asInputOf(input))) ?? {},
    })

    const key = idempotencyKey(request)
    if (key === null) {
      const answer = await run(ctx)
      if (operation.gracePeriod === true) await wait(gracePeriodMs)
      return await send(reply, answer)
    }
    const once = { accountId, key, ...sameness(request) }
    const { outsideTransaction = false } = operation
    const { answer, replayedAfterMs } = await runOnce(ctx, once, run, { outsideTransaction })
    if (replayedAfterMs !== null) void reply.header('idempotency-replayed', 'true')
    if (operation.gracePeriod === true && (replayedAfterMs ?? 0) < longOverMs) await wait(gracePeriodMs)
    return await send(reply, answer)
  }
}

function statusFor({ success, dryRun }: Route, body: unknown): number {
  const isDryRun = typeof body === 'object' && body !== null && 'dry_run' in body && body.dry_run === true
  return isDryRun && dryRun !== undefined ? dryRun.status : success.status
}

/** Two requests with the same `Idempotency-Key` must agree in these parts. */
export function sameness(request: FastifyRequest): { method: string; path: string; body: Uint8Array } {
  return { method: request.method, path: request.url, body: rawBody(request) }
}

/**
 * Every process signs, sends and authenticates with state that is at most a second old. After this wait, no process acts
 * on the state before the commit. The extra milliseconds cover a timer that fires early.
 */
const gracePeriodMs = believedMs + 10

/** After this time, the grace period of a repeated response has certainly passed. */
const longOverMs = 60_000

/** Safe, because the route and the operation have the same name. */
function asInputOf(input: object): OperationInput {
  return input as OperationInput
}

async function send(reply: FastifyReply, { status, body }: OnceAnswer): Promise<void> {
  if (status === 204) return await reply.code(204).send()
  // responses contain secrets and personal data
  return await reply.code(status).header('cache-control', 'no-store').send(body)
}
