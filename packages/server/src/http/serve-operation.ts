import type { Route } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import type { OnceAnswer } from '../idempotency/once-request.ts'
import { runOnce } from '../idempotency/run-once.ts'
import { believedMs } from './ask-recently.ts'
import { accountOf, actorOf } from './caller.ts'
import type { Operation, OperationInput } from './operation.ts'
import { idempotencyKey, rawBody, readInput, readParams } from './read-request.ts'

export interface ServeDependencies {
  readonly ctx: Ctx
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>
}

/** Serves one operation: reads the request, runs the verb, once per Idempotency-Key, and answers after its commit. */
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
    const input = { accountId, params, query, body }
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

/** What makes two requests the same one for an Idempotency-Key. */
export function sameness(request: FastifyRequest): { method: string; path: string; body: Uint8Array } {
  return { method: request.method, path: request.url, body: rawBody(request) }
}

/**
 * After the commit no process acts any more on what it read before, because nothing is signed, sent or let in later
 * than a second after the question that it rests on. A timer may fire a millisecond early: hence a little more.
 */
const gracePeriodMs = believedMs + 10

/** The commit is at most a transaction's length younger than the row that an answer is repeated from. */
const longOverMs = 60_000

/** The one place that takes the contract's word for it: route and operation stand under the same name. */
function asInputOf(input: object): OperationInput {
  return input as OperationInput
}

async function send(reply: FastifyReply, { status, body }: OnceAnswer): Promise<void> {
  if (status === 204) return await reply.code(204).send()
  // secrets and other people's mail belong in no cache
  return await reply.code(status).header('cache-control', 'no-store').send(body)
}
