import { type OutcomesAccepted, routes } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { getAccount } from '../accounts/get-account.ts'
import type { Ctx } from '../context.ts'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import { AppError } from '../errors.ts'
import type { OnceAnswer } from '../idempotency/once-request.ts'
import { runOnce } from '../idempotency/run-once.ts'
import type { OutcomeIntake } from '../outcomes/intake.ts'
import { spellAsSent } from '../outcomes/spell-as-sent.ts'
import { accountOf, type Caller } from './caller.ts'
import { validationFailed } from './field-errors.ts'
import { type Decided, decideOutcomes } from './parse-outcomes.ts'
import { readReport, type Report } from './read-report.ts'
import {
  bodyText,
  checkMediaType,
  idempotencyKey,
  idempotencyKeyErrors,
  mediaTypeOf,
} from './read-request.ts'
import { unknownAccountAt, withPlacesInReport } from './report-errors.ts'
import { ReportsUnderWay } from './reports-under-way.ts'
import { traceparentOf } from './trace-requests.ts'
import { sameness } from './serve-operation.ts'

/** Serves `POST /v1/outcomes`. */
export function serveOutcomes(
  ctx: Ctx,
  intake: OutcomeIntake,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const route = routes.reportOutcomes
  const underWay = new ReportsUnderWay(ctx.clock)
  return async (request, reply) => {
    const { caller } = request
    if (caller === null) throw new AppError('unauthorized', 'Send a credential.')
    const reporter = accountOf(caller) ?? 'operator'
    using _report = underWay.begin(reporter)
    checkMediaType(request, route.body.mediaTypes)
    const report = await readReport(bodyText(request), {
      isLines: mediaTypeOf(request) === 'application/x-ndjson',
    })
    const asReported = await decideOutcomes(report, caller, new Date(ctx.clock.nowMs()).toISOString())
    const decided = {
      ...asReported,
      outcomes: inTrace(traceparentOf(request), await spellAsSent(ctx.db, asReported.outcomes)),
    }
    const errors = idempotencyKeyErrors(route, request)
    if (errors.length > 0) throw validationFailed(errors)
    if (caller.kind === 'operator') await checkIgnoredAccounts(ctx, report, decided)

    try {
      return await reply.code(202).send(await store(request, reply, caller, decided))
    } catch (error) {
      throw await withPlace(error, ctx, report, decided)
    }
  }

  async function store(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    decided: Decided,
  ): Promise<object> {
    const { outcomes } = decided
    const key = idempotencyKey(request)
    if (key === null)
      return wholeAnswer(outcomes.length === 0 ? nothingStored : await intake.group(outcomes), decided)
    let afterCommit = (): void => {}
    const accountId = accountOf(caller)
    const once = { accountId, key, ...sameness(request) }
    const storeOutcomes = async (within: Ctx): Promise<OnceAnswer> => {
      const stored = await intake.within(within.db, outcomes)
      afterCommit = stored.afterCommit
      return { status: 202, body: wholeAnswer(stored.answer, decided) }
    }
    const { answer, replayedAfterMs } = await runOnce(ctx, once, storeOutcomes, {
      inTurn: async transaction => await intake.runInLane(outcomes, once.body.length, transaction),
    })
    afterCommit()
    if (replayedAfterMs !== null) void reply.header('idempotency-replayed', 'true')
    return answer.body
  }
}

function inTrace(traceparent: string | null, outcomes: readonly DecidedOutcome[]): readonly DecidedOutcome[] {
  return traceparent === null ? outcomes : outcomes.map(outcome => ({ ...outcome, traceparent }))
}

const nothingStored: OutcomesAccepted = { accepted: 0, events: [], ignored: [] }

/** Maps the intake's result back to the positions in the report, and adds the items that are not outcomes. */
function wholeAnswer(answer: OutcomesAccepted, { places, ignored }: Decided): OutcomesAccepted {
  if (ignored.length === 0) return answer
  const inReport = answer.ignored.map(one => ({ ...one, index: places[one.index] ?? one.index }))
  return { ...answer, ignored: [...inReport, ...ignored].sort((a, b) => a.index - b.index) }
}

/** Ignored outcomes do not reach the intake, which otherwise checks the account. */
async function checkIgnoredAccounts(
  ctx: Ctx,
  { isList }: Report,
  { ignoredAccounts }: Decided,
): Promise<void> {
  const index = await indexOfUnknownAccount(ctx, ignoredAccounts)
  if (index !== null) throw unknownAccountAt(index, isList)
}

/**
 * Adds the position in the report to an error of the intake. A single object has no position. The intake knows only that
 * an account is missing, so this looks up which one.
 */
async function withPlace(error: unknown, ctx: Ctx, report: Report, decided: Decided): Promise<unknown> {
  if (!(error instanceof AppError) || error.errors.length === 0) return error
  if (error.errors[0]?.path !== '/account_id') return withPlacesInReport(error, report, decided)
  const { outcomes, places } = decided
  const named = outcomes.map(({ accountId }, n) => ({ accountId, index: places[n] ?? n }))
  return unknownAccountAt((await indexOfUnknownAccount(ctx, named)) ?? 0, report.isList)
}

async function indexOfUnknownAccount(
  ctx: Ctx,
  named: ReadonlyArray<{ index: number; accountId: string }>,
): Promise<number | null> {
  const known = new Set<string>()
  for (const { index, accountId } of named) {
    if (known.has(accountId)) continue
    try {
      await getAccount(ctx, accountId)
      known.add(accountId)
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return index
      throw error
    }
  }
  return null
}
