import { Readable } from 'node:stream'
import { routes } from '@posthorn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import { exportSuppressions } from '../suppressions/export-suppressions.ts'
import { importSuppressions } from '../suppressions/import-suppressions.ts'
import { accountOf, actorOf } from './caller.ts'
import { validationFailed } from './field-errors.ts'
import { checkMediaType, errorsOf, idempotencyKeyErrors, readInput, readQuery } from './read-request.ts'
import { streamedBody } from './streamed-body.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Streams the import and export of suppressions as CSV. */
export function suppressionListHandlers(ctx: Ctx): Record<string, Handler> {
  return {
    [routes.importSuppressions.operationId]: async (request, reply) => {
      const route = routes.importSuppressions
      const body = streamedBody(request, route.body.bytesMax)
      checkMediaType(request, route.body.mediaTypes)
      const errors = [...errorsOf(readQuery(route, request)), ...idempotencyKeyErrors(route, request)]
      if (errors.length > 0) throw validationFailed(errors)
      const answer = await importSuppressions({ ...ctx, actor: actorOf(request) }, accountIn(request), body)
      await reply.header('cache-control', 'no-store').send(answer)
    },

    [routes.exportSuppressions.operationId]: async (request, reply) => {
      readInput(routes.exportSuppressions, request)
      const pieces = exportSuppressions(ctx, accountIn(request))
      // before the status is sent, so that an unavailable database still returns 503
      const first = await pieces.next()
      await reply
        .type('text/csv; charset=utf-8')
        .headers({
          'cache-control': 'no-store',
          'content-disposition': 'attachment; filename="suppressions.csv"',
        })
        .send(Readable.from(together(first.value ?? '', pieces), { objectMode: false }))
    },
  }
}

async function* together(first: string, others: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  yield Buffer.from(first)
  for await (const piece of others) yield Buffer.from(piece)
}

function accountIn({ caller }: FastifyRequest): string {
  const accountId = caller === null ? null : accountOf(caller)
  if (accountId === null) throw new AppError('unauthorized', 'Send a credential.')
  return accountId
}
