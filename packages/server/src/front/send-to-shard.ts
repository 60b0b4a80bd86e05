import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { AppError, accountMoving } from '../errors.ts'
import type { ShardAnswer } from '../shards/shard-client.ts'
import { ShardUnavailable } from '../shards/shard-unavailable.ts'
import type { Front } from './front.ts'
import { readWhyUnavailable } from './read-why-unavailable.ts'
import { shardUnavailable } from './shard-errors.ts'
import { patienceMs, type Shard } from './shard.ts'

/** A request to a shard, or to the shard of an account. */
export interface ShardCall {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers?: IncomingHttpHeaders
  /** A stream can be sent only once. */
  readonly body?: Uint8Array | Readable | null
  readonly forwardedFor?: string
  /** Whether it may be sent again although the shard may have received it. A function is called only after a failure. */
  readonly isRepeatable: boolean | (() => boolean)
  /** One of several parts of a report. Others may be stored already, so it is sent again even to an overloaded shard. */
  readonly isPart?: boolean
  /** Aborts if nobody waits for the answer any more. */
  readonly signal?: AbortSignal
}

/** The shard with this number, or the shard of the account with this code. */
export type Target = { readonly shard: number } | { readonly account: number }

/** What the caller gets if there is no time to try again. */
interface InVain {
  readonly inVain: ShardAnswer | AppError
}

/**
 * Sends a request and resolves with the first part of the answer. If the shard or its database does not answer, or the account
 * is moving, it tries for some seconds, as far as repeating is safe. If the account has moved, it repeats the request at its
 * new shard. An account that nobody knows is sent to shard 0, which refuses it as if there were no front.
 *
 * @param untilMs when to give up, by the monotonic clock
 * @throws AppError `shard_unavailable`, `account_moving`
 */
export async function sendToShard(
  front: Front,
  target: Target,
  call: ShardCall,
  untilMs = front.clock.monotonicMs() + patienceMs,
): Promise<ShardAnswer> {
  for (let tries = 0; ; tries++) {
    const shard = await shardOf(front, target)
    const result = shard instanceof AppError ? { inVain: shard } : await sendOnce(front, target, shard, call)
    if (!('inVain' in result)) return result
    // the beginning of the body is lost
    const isSpent = call.body instanceof Readable && call.body.readableDidRead
    if (isSpent || front.clock.monotonicMs() >= untilMs) {
      if (result.inVain instanceof AppError) throw result.inVain
      return result.inVain
    }
    await front.wait(Math.min(500, 25 * 2 ** tries))
  }
}

/** The shard of a target now, or why there is none yet. */
async function shardOf(front: Front, target: Target): Promise<Shard | AppError> {
  if ('shard' in target) return shardNumbered(front, target.shard)
  const { directory, shards } = front
  // the account may be new
  if (directory.find(target.account) === undefined && !(await directory.refresh())) {
    const failure = shardUnavailable(0)
    if (shards.get(0)?.isGone === true) throw failure
    return failure
  }
  const placement = directory.find(target.account)
  return placement?.moving === true ? accountMoving() : shardNumbered(front, placement?.shard ?? 0)
}

function shardNumbered({ shards }: Front, number: number): Shard {
  const shard = shards.get(number)
  if (shard === undefined) throw shardUnavailable(number)
  return shard
}

/** Sends once. Throws if it must not be tried again. */
async function sendOnce(
  front: Front,
  target: Target,
  shard: Shard,
  call: ShardCall,
): Promise<ShardAnswer | InVain> {
  try {
    const { answer, code } = await readWhyUnavailable(await shard.send(call))
    if (code === 'account_moving') {
      // a report names several accounts, so its caller asks where they are
      if (!('account' in target)) throw accountMoving()
      if (front.directory.isCurrent) await front.directory.refresh()
      return { inVain: accountMoving() }
    }
    if (mayPass(code, call) && isRepeatable(call)) return { inVain: answer }
    if (!mayBeMoved(target, answer) || !(await hasMoved(front, target, shard))) return answer
    answer.body.resume()
    return { inVain: accountMoving() }
  } catch (error) {
    if (!(error instanceof ShardUnavailable)) throw error
    const failure = shardUnavailable(shard.number)
    const isSafe = !error.mayHaveArrived || isRepeatable(call)
    if (call.signal?.aborted === true || shard.isGone || !isSafe) throw failure
    return { inVain: failure }
  }
}

/** Whether the reason for a 503 may be over in seconds. The clients of an overloaded shard should learn that it is. */
function mayPass(code: string | null, { isPart = false }: ShardCall): boolean {
  return code === 'database_unavailable' || (isPart && code === 'overloaded')
}

function isRepeatable({ isRepeatable: is }: ShardCall): boolean {
  return typeof is === 'function' ? is() : is
}

/** A shard where the account never was answers as if the account did not exist. */
function mayBeMoved(target: Target, { status }: ShardAnswer): boolean {
  return 'account' in target && (status === 401 || status === 404 || status === 422)
}

/** While shard 0 is down, the last directory counts: the account's old shard says itself that it has moved. */
async function hasMoved({ directory }: Front, target: Target, shard: Shard): Promise<boolean> {
  if (!('account' in target) || !directory.isCurrent) return false
  await directory.refresh()
  const placement = directory.find(target.account)
  return placement !== undefined && (placement.moving || placement.shard !== shard.number)
}
