import { type Route, routes, type SourceAccepted } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import { runOnce } from '../idempotency/run-once.ts'
import { answerOf, judgeReports } from '../sources/judge-reports.ts'
import { type Translated, withoutComplaint } from '../sources/source-report.ts'
import { accountOf, type Caller } from './caller.ts'
import { type MessageOptions, serveMessage } from './serve-message.ts'
import type { OutcomeIntake } from '../outcomes/intake.ts'
import { idempotencyKey } from './read-request.ts'
import { readKumomta, readPostfix, type SourceItems } from './read-sources.ts'
import { sameness } from './serve-operation.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

type Read = (request: FastifyRequest, caller: Caller) => SourceItems | Promise<SourceItems>

/** Serves the reports of mail servers. */
export function serveSources(
  ctx: Ctx,
  intake: OutcomeIntake,
  options: MessageOptions,
): Record<string, Handler> {
  const serve =
    (route: Route, read: Read): Handler =>
    async (request, reply) => {
      const { caller } = request
      if (caller === null) throw new AppError('unauthorized', 'Send a credential.')
      const { kinds, translated } = await read(request, caller)
      for (const kind of kinds) await options.noteReport(kind)
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
      const report = await readKumomta(request, caller)
      return options.complaints ? report : { ...report, translated: report.translated.map(withoutComplaint) }
    }),
    [routes.reportMessage.operationId]: serveMessage(ctx, intake, options),
  }
}
