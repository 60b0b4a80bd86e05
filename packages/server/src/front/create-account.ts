import { json } from 'node:stream/consumers'
import { type AccountCreate, routes } from '@posthorn/contract'
import { chooseShard } from '../domain/choose-shard.ts'
import { AppError } from '../errors.ts'
import { readInput } from '../http/read-request.ts'
import { newId } from '../new-id.ts'
import { enterAsOperator } from './enter-as-operator.ts'
import { forward, sendAnswer } from './forward.ts'
import type { Front } from './front.ts'
import { keepBody } from './request-body.ts'
import { sendToShard } from './send-to-shard.ts'
import type { Handler } from './serve-route.ts'
import { shardUnavailable } from './shard-errors.ts'

const route = routes.createAccount

/** How often it tries another id or shard. */
const triesMax = 5

/**
 * Creates an account on the open shard with the fewest accounts. Shard 0 reserves its place first. If the front ends in
 * between, only an unused place remains.
 */
export function createAccountAt(front: Front): Handler {
  return async (request, reply) => {
    const caller = front.readCaller(request)
    const body = await keepBody(front.held, route, request, reply)
    if (caller.kind === 'operator_session') await enterAsOperator(front, request, caller.presented)
    else if (caller.kind !== 'operator' || (body !== null && !Buffer.isBuffer(body))) {
      // the shard refuses it
      const target = caller.kind === 'account' ? { account: caller.code } : { shard: 0 }
      return await forward(front, request, reply, { target, body })
    }
    request.body = body
    const account = readInput(route, request).body as AccountCreate
    const place = await reservePlace(front)
    const answer = await sendToShard(
      front,
      { shard: place.shard },
      {
        method: 'POST',
        path: '/internal/accounts',
        ...jsonBody({ id: place.account_id, ...account }),
        isRepeatable: true,
      },
    )
    return sendAnswer(reply, answer)
  }
}

async function reservePlace(front: Front): Promise<{ account_id: string; shard: number }> {
  for (let tries = 0; tries < triesMax; tries++) {
    const shard = chooseShard(openShards(front))
    if (shard === null) throw new AppError('shard_unavailable', 'No open shard responds. Try again later.')
    const place = { account_id: newId(front), shard }
    const answer = await sendToShard(
      front,
      { shard: 0 },
      {
        method: 'POST',
        path: '/internal/placements',
        ...jsonBody(place),
        isRepeatable: true,
      },
    )
    await json(answer.body)
    if (answer.status < 300) {
      front.shards.get(shard)?.countNewAccount()
      return place
    }
    if (answer.status !== 409) throw shardUnavailable(0)
    // the code is taken, or the shard was closed
    await front.directory.refresh()
  }
  throw shardUnavailable(0)
}

function openShards({ shards, directory }: Front): Array<{ number: number; accounts: number }> {
  return [...shards.values()].flatMap(({ number, accounts, trouble }) =>
    directory.shards.get(number) === 'open' && trouble === null ? [{ number, accounts }] : [],
  )
}

function jsonBody(value: object): { headers: Record<string, string>; body: Buffer } {
  return { headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) }
}
