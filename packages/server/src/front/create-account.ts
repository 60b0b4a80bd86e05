import { hash } from 'node:crypto'
import { type AccountCreate, type ErrorCode, errorCodes, routes } from '@posthorn/contract'
import { chooseShard } from '../domain/choose-shard.ts'
import { AppError } from '../errors.ts'
import { idempotencyKey, rawBody, readInput } from '../http/read-request.ts'
import { newId } from '../new-id.ts'
import { type Once, refusalHere, reservedPlacement } from '../shards/internal-api.ts'
import type { ShardAnswer } from '../shards/shard-client.ts'
import { operatorHeader } from '../domain/vouched-operator.ts'
import { forward, sendAnswer, targetOfCaller } from './forward.ts'
import type { Front } from './front.ts'
import { operatorHeaders } from './operator-headers.ts'
import { readAnswer } from './read-answer.ts'
import { readWholeBody } from './read-whole-body.ts'
import { keepBody } from './request-body.ts'
import { sendToShard, type ShardCall } from './send-to-shard.ts'
import type { Handler } from './serve-route.ts'
import { shardUnavailable } from './shard-errors.ts'

const route = routes.createAccount

/** How often it tries another id or shard. */
const triesMax = 5

/** The place is not free any more: the code is taken, or the shard was closed. */
const overtaken: readonly string[] = ['code_taken', 'shard_closed', 'shard_unknown']

/**
 * Creates an account on the open shard with the fewest accounts. Shard 0 reserves its place first. If the front ends in
 * between, only an unused place remains.
 */
export function createAccountAt(front: Front): Handler {
  return async (request, reply) => {
    const headers = await operatorHeaders(front, request, route)
    if (headers === null) {
      // the shard refuses the caller
      const body = await keepBody(front.held, route, request, reply)
      return await forward(front, request, reply, { target: targetOfCaller(front, request), body })
    }
    const operator = operatorIn(headers)
    request.body = await readWholeBody(front.held, route, request, reply)
    const account = readInput(route, request).body as AccountCreate
    const key = idempotencyKey(request)
    const once = key === null ? undefined : { key, digest: hash('sha256', rawBody(request), 'hex') }

    const { account_id: id, shard } = await reservePlace(front, once, operator)
    const answer = await post(front, shard, '/internal/accounts', { id, ...account, once }, operator)
    if (answer.status !== route.success.status)
      throw errorOf(refusalHere.parse(await readAnswer(answer)), shard)
    return sendAnswer(reply, answer)
  }
}

/** The place of a new account. With a repeated `Idempotency-Key`, it is that of the first request. */
async function reservePlace(
  front: Front,
  once: Once,
  operator: object,
): Promise<{ account_id: string; shard: number }> {
  for (let tries = 0; tries < triesMax; tries++) {
    const chosen = chooseShard(openShards(front))
    if (chosen === null) throw new AppError('shard_unavailable', noShard(front))
    const place = { account_id: newId(front), shard: chosen, once }
    const answer = await post(front, 0, '/internal/placements', place, operator)
    if (answer.status === 200) {
      const reserved = reservedPlacement.parse(await readAnswer(answer))
      front.shards.get(reserved.shard)?.countNewAccount()
      return reserved
    }
    const refusal = refusalHere.parse(await readAnswer(answer))
    if (!overtaken.includes(refusal.code)) throw errorOf(refusal, 0)
    await front.directory.refresh()
  }
  throw shardUnavailable(0)
}

function noShard({ directory }: Front): string {
  return [...directory.shards.values()].includes('open')
    ? 'No open shard responds. Try again later.'
    : 'All shards are closed for new accounts. Open one with posthorn shards add.'
}

function openShards({ shards, directory }: Front): Array<{ number: number; accounts: number }> {
  return [...shards.values()].flatMap(({ number, accounts, trouble }) =>
    directory.shards.get(number) === 'open' && trouble === null ? [{ number, accounts }] : [],
  )
}

/** The header that names a named operator, for the audit log. */
function operatorIn(headers: NonNullable<ShardCall['headers']>): object {
  const operator = headers[operatorHeader]
  return operator === undefined ? {} : { [operatorHeader]: operator }
}

async function post(
  front: Front,
  shard: number,
  path: string,
  body: object,
  operator: object,
): Promise<ShardAnswer> {
  // repeating it changes nothing
  const call = { method: 'POST', path, body: Buffer.from(JSON.stringify(body)), isRepeatable: true }
  return await sendToShard(
    front,
    { shard },
    { ...call, headers: { 'content-type': 'application/json', ...operator } },
  )
}

/** The error for the caller if a shard refuses. */
function errorOf({ code, detail }: { code: string; detail: string }, shard: number): AppError {
  if (code in errorCodes) return new AppError(code as ErrorCode, detail)
  const advice = 'Run posthorn directory check.'
  return new AppError('internal_error', `Shard ${shard} refuses the account: ${detail} ${advice}`)
}
