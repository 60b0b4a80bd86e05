import { type Route, routes } from '@posthorn/contract'
import type { FastifyRequest } from 'fastify'
import { countEach } from '../domain/count-each.ts'
import { adminCaller } from '../http/caller.ts'
import { readKumomta, readPostfix, type SourceItems } from '../http/read-sources.ts'
import { unknownAccount } from '../outcomes/unknown-account.ts'
import { judgeForeign, tokensOf } from '../sources/judge-foreign.ts'
import type { Translated } from '../sources/source-report.ts'
import type { Front } from './front.ts'
import type { KnownAccounts } from './known-accounts.ts'
import { serveMessageAt } from './serve-message.ts'
import { serveReport } from './serve-report.ts'
import type { Handler } from './serve-route.ts'
import { sourceOwner } from './source-owner.ts'

/** Serves the reports of mail servers, by operation. */
export function serveSources(front: Front, known: KnownAccounts): Record<string, Handler> {
  return {
    [routes.reportPostfix.operationId]: serveSource(
      front,
      known,
      routes.reportPostfix,
      request => readPostfix(request, adminCaller),
      records => `{"records":[${records.join(',')}]}`,
    ),
    [routes.reportKumomta.operationId]: serveSource(
      front,
      known,
      routes.reportKumomta,
      async request => await readKumomta(request, adminCaller),
      records => `[${records.join(',')}]`,
    ),
    [routes.reportMessage.operationId]: serveMessageAt(front),
  }
}

function serveSource(
  front: Front,
  known: KnownAccounts,
  route: Route,
  readItems: (request: FastifyRequest) => SourceItems | Promise<SourceItems>,
  bodyOf: (texts: readonly string[]) => string,
): Handler {
  const exists = (code: number): boolean => front.directory.find(code) !== undefined
  return serveReport(front, {
    route,
    // each record has an id, by which a shard recognizes it
    isRepeatable: () => true,
    read: async request => {
      const { items, translated } = await readItems(request)
      const codes: (number | null)[] = items.map(() => null)
      for (const { index, report } of translated) {
        if (typeof report !== 'string') codes[index] ??= sourceOwner(report, exists)
      }
      return {
        codes,
        isRepeatable: true,
        split: async () => {
          const arrivedAt = new Date(front.clock.nowMs()).toISOString()
          const named = translated.flatMap(({ report }) => accountsNamed(report, arrivedAt))
          // a shard refuses the whole report too
          if ((await known.findUnknown(named)).size > 0) throw unknownAccount()
          const counts = countEach(translated.map(({ index }) => String(index)))
          return {
            texts: items.map(item => JSON.stringify(item)),
            codes,
            bodyOf,
            isRepeatable: true,
            outcomesAt: place => counts.get(String(place)) ?? 0,
          }
        },
      }
    },
  })
}

/** The account of an outcome that has no token, if the report is an outcome. */
function accountsNamed(report: Translated['report'], arrivedAt: string): string[] {
  if (typeof report === 'string' || report.foreign === null) return []
  const hasToken = tokensOf(report).length > 0 || (report.unsubscribeTokens ?? []).length > 0
  if (hasToken || typeof judgeForeign(report, arrivedAt) === 'string') return []
  return [report.foreign.accountId]
}
