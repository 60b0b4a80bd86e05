import { type PostfixRecord, type Route, routes, type SourceAccepted } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { parseTypeId, typeId } from '../domain/type-id.ts'
import { AppError, type FieldError } from '../errors.ts'
import { runOnce } from '../idempotency/run-once.ts'
import { inSlices } from '../outcomes/in-slices.ts'
import { fromKumomta } from '../sources/from-kumomta.ts'
import { fromPostfix } from '../sources/from-postfix.ts'
import { answerOf, judgeReports } from '../sources/judge-reports.ts'
import type { Translated } from '../sources/source-report.ts'
import { accountOf, type Caller } from './caller.ts'
import { serveMessage } from './serve-message.ts'
import { check, fieldErrorsMax, validationFailed } from './field-errors.ts'
import type { OutcomeIntake } from '../outcomes/intake.ts'
import { tooManyElements } from './json-elements.ts'
import { itemsMax, readReport } from './read-report.ts'
import {
  bodyText,
  checkMediaType,
  errorsOf,
  idempotencyKey,
  idempotencyKeyErrors,
  mediaTypeOf,
  readInput,
  readQuery,
} from './read-request.ts'
import { sameness } from './serve-operation.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Splits a report into its items. */
type Read = (
  request: FastifyRequest,
  caller: Caller,
) => readonly Translated[] | Promise<readonly Translated[]>

/** Serves the reports of mail servers. */
export function serveSources(ctx: Ctx, intake: OutcomeIntake, complaints: boolean): Record<string, Handler> {
  const serve =
    (route: Route, read: Read): Handler =>
    async (request, reply) => {
      const { caller } = request
      if (caller === null) throw new AppError('unauthorized', 'Send a credential.')
      const translated = await read(request, caller)
      const { answer, isReplayed } = await store(request, caller, translated)
      if (isReplayed) void reply.header('idempotency-replayed', 'true')
      await reply.code(route.success.status).send(answer)
    }

  async function store(
    request: FastifyRequest,
    caller: Caller,
    translated: readonly Translated[],
  ): Promise<{ answer: SourceAccepted; isReplayed: boolean }> {
    const accountId = accountOf(caller)
    const key = idempotencyKey(request)
    if (key === null) {
      const judged = await judgeReports(ctx, translated, accountId)
      const none = { events: [], ignored: [] }
      const stored = judged.outcomes.length === 0 ? none : await intake.group(judged.outcomes)
      return { answer: answerOf(judged, stored), isReplayed: false }
    }
    let afterCommit = (): void => {}
    const once = { accountId, key, ...sameness(request) }
    const { answer, replayedAfterMs } = await runOnce(ctx, once, async within => {
      const judged = await judgeReports(within, translated, accountId)
      const stored = await intake.within(within.db, judged.outcomes)
      afterCommit = stored.afterCommit
      return { status: 202, body: answerOf(judged, stored.answer) }
    })
    afterCommit()
    return { answer: answer.body as SourceAccepted, isReplayed: replayedAfterMs !== null }
  }

  return {
    [routes.reportPostfix.operationId]: serve(routes.reportPostfix, readPostfix),
    [routes.reportKumomta.operationId]: serve(routes.reportKumomta, async (request, caller) => {
      const translated = await readKumomta(request, caller)
      return complaints ? translated : translated.map(withoutComplaint)
    }),
    [routes.reportMessage.operationId]: serveMessage(ctx, intake, complaints),
  }
}

function readPostfix(request: FastifyRequest, caller: Caller): Translated[] {
  const { records } = readInput(routes.reportPostfix, request).body as { records: PostfixRecord[] }
  const own = accountOf(caller)
  return records.map((record, index) => {
    checkAccount(own, record.account_id)
    return { index, report: fromPostfix(record, own) }
  })
}

async function readKumomta(request: FastifyRequest, caller: Caller): Promise<Translated[]> {
  const route = routes.reportKumomta
  checkMediaType(request, route.body.mediaTypes)
  const { items, isList } = await readReport(bodyText(request), {
    isLines: mediaTypeOf(request) === 'application/x-ndjson',
    // the records have many fields that Posthorn does not read
    takesAnyNumber: true,
  })
  const query = readQuery(route, request)
  const errors = [...errorsOf(query), ...idempotencyKeyErrors(route, request)]
  await inSlices(items, (item, index) => {
    if (errors.length >= fieldErrorsMax) return
    for (const error of whatIsWrong(item, isList ? [index] : [])) errors.push(error)
  })
  if ('errors' in query || errors.length > 0) throw validationFailed(errors)
  const { account_id: named, email_id: by } = query.data as { account_id?: string; email_id?: 'message_id' }
  const own = accountOf(caller)
  checkAccount(own, named)
  const names = { accountId: own ?? parseTypeId('acct', named ?? ''), byMessageId: by === 'message_id' }
  const translated: Translated[] = []
  await inSlices(items, (item, index) => {
    // a record may name a thousand recipients
    if (translated.length > itemsMax) return
    for (const report of fromKumomta(item, index, names)) translated.push(report)
  })
  if (translated.length > itemsMax) throw tooManyElements(itemsMax)
  return translated
}

function withoutComplaint({ index, report }: Translated): Translated {
  const isOne = typeof report !== 'string' && report.outcome.disposition === 'complaint'
  return { index, report: isOne ? 'not_an_outcome' : report }
}

/** Refuses only items that cannot come from KumoMTA. */
function whatIsWrong(item: unknown, at: readonly PropertyKey[]): FieldError[] {
  return errorsOf(check(routes.reportKumomta.body.lineSchema, item, at))
}

function checkAccount(own: string | null, named: string | undefined): void {
  if (own === null || named === undefined || named === typeId('acct', own)) return
  throw new AppError('account_mismatch', 'An API key can report only for its own account. Omit account_id.')
}
