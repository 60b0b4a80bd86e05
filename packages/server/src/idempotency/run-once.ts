import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { operatorId } from '../domain/operator-id.ts'
import { isKeyKnown } from './is-key-known.ts'
import { digestOf, keepAnswer, keptAnswer, keyInUse, takeKey } from './key-row.ts'
import type { OnceAnswer, OnceRequest, OnceResult } from './once-request.ts'
import { oneAtATime } from './one-at-a-time.ts'

/** How a request is run once. */
export interface OnceOptions {
  /** How long it waits for an earlier request with its key. */
  readonly waitMsMax?: number
  /** The work waits for others, and changes nothing that a second time would not. */
  readonly outsideTransaction?: boolean
  /** Runs the transaction when it is its turn. A request that repeats one in progress waits before that. */
  readonly inTurn?: (transaction: () => Promise<OnceResult>) => Promise<OnceResult>
}

/**
 * Runs `work` in a transaction that also keeps its answer under the key, so that there is no effect without a kept
 * answer and no kept answer without an effect. A second request with the key waits for the first one's end: the
 * unique index makes it. Refusals roll everything back, the key included, so a refused request may be repeated.
 *
 * Work that is to be done outside the transaction is done before it, and holds no connection meanwhile. In this
 * process a second request waits all the same; of two in two processes both may work, and what is kept first is the
 * answer of both.
 *
 * @throws AppError `idempotency_key_reused` when the key stands for another request
 * @throws AppError `idempotency_key_in_use` when the first request is still running after 5 s
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

/** The keys whose requests are running in this process; between processes the unique index stands guard. */
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
        // inside the transaction there is nothing to see yet
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
