import { routes } from '@posthorn/contract'
import { accountCode } from '../domain/account-code.ts'
import { parseTypeId } from '../domain/type-id.ts'
import { firstUuidV7At } from '../domain/uuid-v7.ts'
import { AppError } from '../errors.ts'
import { adminCaller } from '../http/caller.ts'
import { validationFailed } from '../http/field-errors.ts'
import { type Decided, decideOutcomes } from '../http/parse-outcomes.ts'
import { readReport, type Report } from '../http/read-report.ts'
import { bodyText, checkMediaType, idempotencyKeyErrors, mediaTypeOf } from '../http/read-request.ts'
import { unknownAccountAt, withPlacesInReport } from '../http/report-errors.ts'
import { inSlices } from '../outcomes/in-slices.ts'
import { newEvent } from '../outcomes/new-event.ts'
import type { Front } from './front.ts'
import type { KnownAccounts } from './known-accounts.ts'
import type { Handler } from './serve-route.ts'
import { serveReport } from './serve-report.ts'

const route = routes.reportOutcomes

/** Which reports for several shards a front accepts: those with an `outcome_id` in each outcome, or any. */
export type MixedReports = 'outcome_id' | 'any'

/** Serves `POST /v1/outcomes`. */
export function serveOutcomes(front: Front, known: KnownAccounts, mixedReports: MixedReports): Handler {
  return serveReport(front, {
    route,
    isRepeatable: (_request, body) => haveOutcomeIds(body.toString()),
    read: async request => {
      checkMediaType(request, route.body.mediaTypes)
      const isLines = mediaTypeOf(request) === 'application/x-ndjson'
      const report = await readReport(bodyText(request), { isLines })
      const codes = report.items.map(item => codeOf(textIn(item, 'account_id')))
      const hasIds = report.items.every(item => textIn(item, 'outcome_id') !== '')
      const hasKey = request.headers['idempotency-key'] !== undefined
      return {
        codes,
        isRepeatable: hasIds || hasKey,
        split: async () => {
          const arrivedAt = new Date(front.clock.nowMs()).toISOString()
          const decided = await decideOutcomes(report, adminCaller, arrivedAt)
          const errors = idempotencyKeyErrors(route, request)
          if (errors.length > 0) throw validationFailed(errors)
          const texts = await textsOf(report.items)
          await checkWhole(known, report, decided, texts, front.clock.nowMs())
          // a deferral is stored once for each recipient, however often it is reported
          const missing = decided.outcomes.findIndex(
            ({ outcomeId, type }) => outcomeId === null && type !== 'email.deferred',
          )
          const missingAt = decided.places[missing]
          if (mixedReports === 'outcome_id' && missingAt !== undefined) throw outcomeIdMissing(missingAt)
          const isRepeatable = hasKey || missingAt === undefined
          return { texts, codes, bodyOf: items => `[${items.join(',')}]`, isRepeatable }
        },
      }
    },
  })
}

/** Checks what a shard checks when it stores, in the same order. */
async function checkWhole(
  known: KnownAccounts,
  report: Report,
  decided: Decided,
  texts: readonly string[],
  nowMs: number,
): Promise<void> {
  const { outcomes, places, ignoredAccounts } = decided
  const unknown = await known.findUnknown([...ignoredAccounts, ...outcomes].map(({ accountId }) => accountId))
  const ignored = ignoredAccounts.find(({ accountId }) => unknown.has(accountId))
  if (ignored !== undefined) throw unknownAccountAt(ignored.index, report.isList)
  const id = firstUuidV7At(nowMs)
  outcomes.forEach((outcome, n) => {
    // an event is hardly longer than its outcome
    if ((texts[places[n] ?? n]?.length ?? 0) < surelySmallMax) return
    try {
      newEvent(outcome, () => id, n)
    } catch (error) {
      throw error instanceof AppError ? withPlacesInReport(error, report, decided) : error
    }
  })
  const first = outcomes.findIndex(({ accountId }) => unknown.has(accountId))
  if (first >= 0) throw unknownAccountAt(places[first] ?? first, report.isList)
}

/** In characters. Each has at most three bytes, and an event may have 256 KiB. */
const surelySmallMax = 80_000

async function textsOf(items: readonly unknown[]): Promise<string[]> {
  const texts: string[] = []
  await inSlices(items, item => texts.push(JSON.stringify(item)))
  return texts
}

function outcomeIdMissing(place: number): AppError {
  return validationFailed([
    {
      path: `/${place}/outcome_id`,
      message:
        'is required, because the accounts of this report are on several shards: if one shard fails, only an outcome_id makes it safe to repeat the report. Add an outcome_id to each outcome, or report each account by itself',
    },
  ])
}

/** Whether each outcome of a report has an id. It does not validate the report. */
function haveOutcomeIds(text: string): boolean {
  const items =
    itemsIn(text) ??
    text
      .trim()
      .split('\n')
      .flatMap(line => itemsIn(line) ?? [null])
  return items.every(item => textIn(item, 'outcome_id') !== '')
}

function itemsIn(text: string): unknown[] | null {
  try {
    return [JSON.parse(text) as unknown].flat()
  } catch {
    return null
  }
}

function codeOf(account: string): number | null {
  const uuid = parseTypeId('acct', account)
  return uuid === null ? null : accountCode(uuid)
}

function textIn(item: unknown, name: 'account_id' | 'outcome_id'): string {
  if (typeof item !== 'object' || item === null) return ''
  const value = (item as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}
