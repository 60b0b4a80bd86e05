import { openApiDocument, type Route, routes } from '@posthorn/contract'
import { AppError } from '../errors.ts'
import { type DashboardFile, toFile } from '../http/dashboard-files.ts'
import { sendProblem } from '../http/problem.ts'
import { sendFile } from '../http/send-file.ts'
import { createAccountAt } from './create-account.ts'
import type { Front } from './front.ts'
import { KnownAccounts } from './known-accounts.ts'
import { mergedList } from './merged-lists.ts'
import { mergedMetrics } from './merged-metrics.ts'
import { mergedSystem } from './merged-system.ts'
import { type MixedReports, serveOutcomes } from './serve-outcomes.ts'
import { serveShard } from './serve-shard.ts'
import { serveSources } from './serve-sources.ts'
import type { Handler } from './serve-route.ts'

export interface FrontOwn {
  readonly version: string
  /** Which reports for several shards it accepts. */
  readonly mixedReports: MixedReports
}

/** The handlers of operations that do more than send the request to one shard, by operation id. */
export function ownHandlers(front: Front, { version, mixedReports }: FrontOwn): Record<string, Handler> {
  let openApi: DashboardFile | undefined
  const known = new KnownAccounts(front)
  return {
    [routes.getHealth.operationId]: async () => await Promise.resolve({ status: 'ok' }),

    [routes.getReadiness.operationId]: async (_request, reply) => {
      if (front.directory.isKnown) return await Promise.resolve({ status: 'ready' })
      const why = 'Not ready: shard 0 has not answered yet, and only it knows where each account is'
      sendProblem(reply, new AppError('shard_unavailable', why))
      return reply
    },

    [routes.getOpenApi.operationId]: async (request, reply) => {
      const table: Readonly<Record<string, Route>> = routes
      const text = () => JSON.stringify(openApiDocument(table, { version, serverUrl: front.publicUrl() }))
      openApi ??= toFile('/openapi.json', Buffer.from(text()))
      sendFile(request, reply, openApi)
      return await reply
    },

    [routes.getMetrics.operationId]: async (_request, reply) =>
      await reply.type('text/plain; version=0.0.4; charset=utf-8').send(await mergedMetrics(front)),

    [routes.createAccount.operationId]: createAccountAt(front),

    [routes.confirmClock.operationId]: serveShard(front, routes.confirmClock),
    [routes.getBackup.operationId]: serveShard(front, routes.getBackup),

    [routes.listAccounts.operationId]: mergedList(front, routes.listAccounts, 'acct'),
    [routes.listPortalSessions.operationId]: mergedList(front, routes.listPortalSessions, 'pses'),
    [routes.listAuditLog.operationId]: mergedList(front, routes.listAuditLog, 'aud'),
    ...mergedSystem(front),

    [routes.reportOutcomes.operationId]: serveOutcomes(front, known, mixedReports),
    ...serveSources(front, known),
  }
}
