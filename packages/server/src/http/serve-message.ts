import { routes } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import { readIncoming } from '../mail/read-incoming.ts'
import { runOnce } from '../idempotency/run-once.ts'
import type { NoteReport } from '../sources/mail-sources.ts'
import { type MessageContext, takeMessage } from '../sources/take-message.ts'
import { accountOf } from './caller.ts'
import { validationFailed } from './field-errors.ts'
import type { OutcomeIntake } from '../outcomes/intake.ts'
import {
  checkMediaType,
  errorsOf,
  idempotencyKey,
  idempotencyKeyErrors,
  rawBody,
  readQuery,
} from './read-request.ts'
import { sameness } from './serve-operation.ts'

/** How messages are processed. */
export type MessageOptions = Pick<MessageContext, 'complaints' | 'mailIgnored'> & {
  readonly noteReport: NoteReport
}

/** Serves `POST /v1/sources/message`. */
export function serveMessage(
  ctx: Ctx,
  intake: OutcomeIntake,
  { complaints, mailIgnored, noteReport }: MessageOptions,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const route = routes.reportMessage
  return async (request, reply) => {
    const { caller } = request
    if (caller === null) throw new AppError('unauthorized', 'Send a credential.')
    checkMediaType(request, route.body.mediaTypes)
    const query = readQuery(route, request)
    const mail = rawBody(request)
    const errors = [
      ...(mail.length === 0 ? [{ path: '', message: 'must be a whole message' }] : []),
      ...errorsOf(query),
      ...idempotencyKeyErrors(route, request),
    ]
    if ('errors' in query || errors.length > 0) throw validationFailed(errors)
    const { recipient = null, source = 'message' } = query.data as { recipient?: string; source?: 'imap' }
    await noteReport(source)
    const message = { mail, incoming: await readIncoming(mail), recipient }
    const accountId = accountOf(caller)
    const key = idempotencyKey(request)
    if (key === null) {
      const answer = await takeMessage(
        { ...ctx, complaints, mailIgnored, outcomes: intake },
        message,
        accountId,
      )
      return void (await reply.code(route.success.status).send(answer))
    }
    const afterCommits: Array<() => void> = []
    const once = { accountId, key, ...sameness(request) }
    const { answer, replayedAfterMs } = await runOnce(ctx, once, async within => ({
      status: route.success.status,
      body: await takeMessage(
        { ...within, complaints, mailIgnored, outcomes: outcomesWithin(within, intake, afterCommits) },
        message,
        accountId,
      ),
    }))
    for (const afterCommit of afterCommits) afterCommit()
    if (replayedAfterMs !== null) void reply.header('idempotency-replayed', 'true')
    await reply.code(route.success.status).send(answer.body)
  }
}

/** Stores outcomes in the transaction of the `Idempotency-Key` and collects what to do after its commit. */
function outcomesWithin(
  { db }: Ctx,
  intake: OutcomeIntake,
  afterCommits: Array<() => void>,
): MessageContext['outcomes'] {
  const within: MessageContext['outcomes']['within'] = async (tx, outcomes) => {
    const { answer, afterCommit } = await intake.within(tx, outcomes)
    afterCommits.push(afterCommit)
    return { answer, afterCommit: () => {} }
  }
  return { within, group: async outcomes => (await within(db, outcomes)).answer }
}
