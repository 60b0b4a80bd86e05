import { accountCreate, type Route, type Schema } from '@posthorn/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { createGivenAccount } from '../accounts/create-given-account.ts'
import type { Ctx } from '../context.ts'
import { changePlacements } from '../directory/change-placements.ts'
import { describeShard } from '../directory/describe-shard.ts'
import { DirectoryRefusal } from '../directory/directory-refusal.ts'
import { findKnownAccounts } from '../directory/find-known-accounts.ts'
import { findAccountHere } from '../directory/find-account-here.ts'
import { joinInstallation } from '../directory/join-installation.ts'
import { listAccountsHere } from '../directory/list-accounts-here.ts'
import { readDirectory } from '../directory/read-directory.ts'
import { reservePlacement } from '../directory/reserve-placement.ts'
import { setShard } from '../directory/set-shard.ts'
import { AppError } from '../errors.ts'
import { adminOperator } from '../domain/operator-person.ts'
import { runOnce } from '../idempotency/run-once.ts'
import {
  joinRequest,
  knownAccounts,
  newPlacement,
  type Once,
  operatorHere,
  once,
  placementChanges,
  shardState,
} from '../shards/internal-api.ts'
import { operatorHeader, readOperator } from '../domain/vouched-operator.ts'
import { check, validationFailed } from './field-errors.ts'
import type { Guard } from './guard.ts'
import { bodyText } from './read-request.ts'
import { readJson } from './read-json.ts'

export interface InternalRoutesOptions {
  readonly ctx: Ctx
  readonly version: string
  /** Reads the number of this shard again. */
  readonly lookAgain: () => Promise<void>
  readonly guard: (route: Pick<Route, 'auth' | 'role'>) => Guard
}

/** What fronts and commands ask a shard. The routes are not part of the API, and `requireFront` guards them. */
export function serveInternalRoutes(app: FastifyInstance, options: InternalRoutesOptions): void {
  const { ctx: ctxOfApp, version, lookAgain, guard } = options
  const serve = (
    method: 'GET' | 'POST',
    url: string,
    answer: (request: FastifyRequest, ctx: Ctx, reply: FastifyReply) => Promise<object>,
    { status = 200, onRequest }: { status?: number; onRequest?: Guard } = {},
  ): void => {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      if (request.front === null || (method === 'POST' && request.front.body === 'stream')) {
        throw new AppError('unauthorized', 'Only fronts and commands may ask this, with a signed body.')
      }
      const { name, method: known } = readOperator(request.headers[operatorHeader]) ?? adminOperator
      const actor = { kind: 'operator', name, method: known, requestId: request.id } as const
      const ctx: Ctx = { ...ctxOfApp, actor }
      void reply.header('cache-control', 'no-store')
      try {
        return await reply.code(status).send(await answer(request, ctx, reply))
      } catch (error) {
        if (!(error instanceof DirectoryRefusal)) throw error
        return await reply.code(409).send({ code: error.code, detail: error.message })
      }
    }
    const hook = onRequest && { onRequest }
    app.route({ method, url: `/internal${url}`, bodyLimit: bodyBytesMax, ...hook, handler })
  }

  serve('GET', '/operator', async ({ caller }) => await Promise.resolve(operatorHere.parse(caller)), {
    onRequest: guard({ auth: 'operator', role: 'view' }),
  })
  serve('GET', '/shard', async (_request, ctx) => await describeShard(ctx, version))
  serve('POST', '/join', async (request, ctx) => {
    await joinInstallation(ctx, read(joinRequest, request))
    await lookAgain()
    return await describeShard(ctx, version)
  })
  serve('GET', '/directory', async (request, ctx) => {
    const { after } = readQuery(afterVersion, request)
    return await readDirectory(ctx, after)
  })
  serve('POST', '/directory', async (request, ctx) => ({
    version: await changePlacements(ctx, read(placementChanges, request)),
  }))
  serve('POST', '/placements', async (request, ctx, reply) => {
    const { once, ...placement } = read(newPlacement, request)
    const reserve = async (within: Ctx): Promise<object> => await reservePlacement(within, placement)
    return await runOnceFor(ctx, { once, path: '/placements', reply }, reserve)
  })
  serve('POST', '/shards', async (request, ctx) => await setShard(ctx, read(shardState, request)))
  serve('GET', '/accounts', async (request, ctx) => {
    const { after } = readQuery(afterAccount, request)
    return await listAccountsHere(ctx, after)
  })
  serve('POST', '/known-accounts', async (request, ctx) => ({
    account_ids: await findKnownAccounts(ctx, read(knownAccounts, request).account_ids),
  }))
  serve('GET', '/accounts/:id', async (request, ctx) => {
    const { id } = request.params as { id: string }
    return { state: await findAccountHere(ctx, checked(z.uuid(), id)) }
  })
  serve(
    'POST',
    '/accounts',
    async (request, ctx, reply) => {
      const { once, ...account } = read(givenAccount, request)
      const create = async (within: Ctx): Promise<object> => await createGivenAccount(within, account)
      return await runOnceFor(ctx, { once, path: '/accounts', reply }, create)
    },
    { status: 201 },
  )
}

/** Runs `work` once for the `Idempotency-Key` of the request that the front serves, if it has one. */
async function runOnceFor(
  ctx: Ctx,
  { once, path, reply }: { once: Once; path: string; reply: FastifyReply },
  work: (ctx: Ctx) => Promise<object>,
): Promise<object> {
  if (once === undefined) return await work(ctx)
  // shard 0 stores one answer for each path
  const request = { accountId: null, key: `front ${path} ${once.key}`, method: 'POST', path }
  const { answer, replayedAfterMs } = await runOnce(
    ctx,
    { ...request, body: Buffer.from(once.digest) },
    async within => ({ status: 200, body: await work(within) }),
  )
  if (replayedAfterMs !== null) void reply.header('idempotency-replayed', 'true')
  return answer.body
}

/** 10,000 placements. */
const bodyBytesMax = 2 * 1024 * 1024

const givenAccount = accountCreate.extend({ id: z.uuid(), once })
const afterVersion = z.object({ after: z.coerce.number().int().min(0).default(0) })
const afterAccount = z.object({ after: z.uuid().default('00000000-0000-0000-0000-000000000000') })

function read<Output>(schema: Schema<Output>, request: FastifyRequest): Output {
  return checked(schema, readJson(bodyText(request), { complaint: 'The body is not valid JSON.' }))
}

function readQuery<Output>(schema: Schema<Output>, request: FastifyRequest): Output {
  return checked(schema, request.query)
}

function checked<Output>(schema: Schema<Output>, value: unknown): Output {
  const result = check(schema, value)
  if ('errors' in result) throw validationFailed(result.errors)
  return result.data
}
