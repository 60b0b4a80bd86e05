import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { operatorId } from '../domain/operator-id.ts'
import { isKeyKnown } from './is-key-known.ts'
import { digestOf, keepAnswer, keptAnswer, keyInUse, takeKey } from './key-row.ts'
import type { OnceAnswer, OnceRequest, OnceResult } from './once-request.ts'
import { oneAtATime } from './one-at-a-time.ts'

/** Options for running a request once. */
export interface OnceOptions {
  /** How long it waits for an earlier request with the same key. */
  readonly waitMsMax?: number
  /** For work that takes long and may safely run twice. */
  readonly outsideTransaction?: boolean
  /** Runs the transaction when it is its turn. A request that repeats one in progress waits before that. */
  readonly inTurn?: (transaction: () => Promise<OnceResult>) => Promise<OnceResult>
}

/**
 * Runs `work` in a transaction that also stores its answer with the key, so that effect and answer are stored together. A
 * second request with the key waits at the unique index until the first one ends. An error rolls everything back,
 * including the key, so the request may be repeated.
 *
 * With `outsideTransaction`, the work runs before the transaction and holds no connection. A second request in the same
 * process still waits. In two processes, both may do the work, and both get the answer that is stored first.
 *
 * @throws AppError `idempotency_key_reused` if the key belongs to another request
 * @throws AppError `idempotency_key_in_use` if the first request is still running after 5 s
 */
export async function runOnce(
  ctx: Ctx,
  request: OnceRequest,
  work: (ctx: Ctx) => Promise<OnceAnswer>,
  {
    waitMsMax = 5_000,
    outsideTransaction = false,
    inTurn = async transaction => await transaction(),
  }: OnceOptions = {},
): Promise<OnceResult> {
  const keysInUse = keysInUseOf(ctx.db)
  const name = `${request.accountId ?? operatorId} ${request.key}`
  const result = await oneAtATime(keysInUse, name, waitMsMax, async () => {
    const early = outsideTransaction && !(await isKeyKnown(ctx, request)) ? await work(ctx) : null
    return await inTurn(
      async () => await runNow(ctx, request, async within => early ?? (await work(within)), waitMsMax),
    )
  })
  if (result === undefined) throw keyInUse()
  return result
}

/** The keys whose requests are running in this process. Between processes, the unique index makes requests wait. */
function keysInUseOf(db: Queryable): Map<string, Promise<unknown>> {
  const found = keysInUseByDatabase.get(db) ?? new Map<string, Promise<unknown>>()
  keysInUseByDatabase.set(db, found)
  return found
}

const keysInUseByDatabase = new WeakMap<Queryable, Map<string, Promise<unknown>>>()

async function runNow(
  ctx: Ctx,
  request: OnceRequest,
  work: (ctx: Ctx) => Promise<OnceAnswer>,
  waitMsMax: number,
): Promise<OnceResult> {
  const digest = digestOf(request)
  let mustWake = false
  const result = await ctx.db.transaction(async (tx): Promise<OnceResult> => {
    const isMine = await takeKey(tx, ctx, request, digest, waitMsMax)
    if (!isMine) return await keptAnswer(tx, ctx, request, digest)
    const answer = await work({
      ...ctx,
      db: tx,
      outside: {
        ...ctx.outside,
        // dispatchers see nothing before the commit
        wakeDispatchers: () => {
          mustWake = true
        },
      },
    })
    await keepAnswer(tx, request, answer)
    return { answer, replayedAfterMs: null }
  })
  if (mustWake) ctx.outside.wakeDispatchers()
  return result
}
