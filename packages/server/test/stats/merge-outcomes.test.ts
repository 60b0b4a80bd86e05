import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { expireStatistics } from '../../src/stats/expire-statistics.ts'
import { forgetDomains } from '../../src/stats/forget-domains.ts'
import { getStats } from '../../src/stats/get-stats.ts'
import { mergeStatistics } from '../../src/stats/merge-statistics.ts'
import { type OutcomeCount } from '../../src/stats/outcome-counts.ts'
import { writeOutcomeCounts } from '../../src/stats/write-outcome-counts.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import { newAccount, verbContext } from '../verbs/verb-context.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The widths of rows by their age, which `mergeStatistics` makes. An interval is merged when it is over. */
function widthMs(ageMs: number): number {
  if (ageMs > 15 * dayMs + 6 * hourMs) return 6 * hourMs
  if (ageMs > 2 * dayMs + 2 * hourMs) return 2 * hourMs
  return ageMs > 3 * hourMs + 15 * minuteMs ? 15 * minuteMs : minuteMs
}

const accounts = ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8058']

const domainCounts = (minLength: number, maxLength: number) =>
  fc.uniqueArray(fc.tuple(fc.nat(150), fc.integer({ min: 1, max: 9 })), {
    minLength,
    maxLength,
    selector: ([domain]) => domain,
  })

const counts = fc.array(
  fc.record({
    accountId: fc.constantFrom(...accounts),
    // within one interval of each width, and in the next
    age: fc.constantFrom(2 * hourMs, dayMs, 10 * dayMs, 20 * dayMs),
    minute: fc.constantFrom(0, 1, 14, 15, 50, 200),
    type: fc.constantFrom('email.delivered' as const, 'email.bounced' as const),
    reason: fc.constantFrom('', 'mailbox_disabled'),
    // together, some intervals have more than a hundred
    domains: fc.oneof(domainCounts(0, 3), domainCounts(60, 100)),
    others: fc.nat(3),
  }),
  { minLength: 1, maxLength: 40 },
)

interface Row {
  account_id: string
  at: Date
  width: number
  type: string
  reason: string
  count: number
  domains: string[]
  domain_counts: number[]
}

describe.each(verbBackends())('merging outcomes on $name', backend => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase(backend)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('no sum changes, and each interval keeps its largest domains', async () => {
    const nowMs = Math.floor(Date.now() / (6 * hourMs)) * 6 * hourMs + 1
    await fc.assert(
      fc.asyncProperty(counts, async generated => {
        await db.query('truncate outcome_stat')
        const written: OutcomeCount[] = generated.map(one => {
          const domains = new Map(one.domains.map(([n, count]) => [`d${n}.example`, count]))
          const count = [...domains.values()].reduce((sum, n) => sum + n, one.others)
          const { accountId, type, reason } = one
          const atMs = nowMs - one.age - one.minute * minuteMs
          return { accountId, minuteMs: atMs - (atMs % minuteMs), type, reason, count, domains }
        })
        for (const count of written) await writeOutcomeCounts(db, 1, [count])
        // the second time it finds what the first one has made
        await mergeStatistics(db, nowMs)
        await mergeStatistics(db, nowMs)

        const slot = (at: number): number => at - (at % widthMs(nowMs - at))
        const rows = await db.query<Row>(
          'select account_id, at, width_seconds as width, type::text as type, reason, count, domains, domain_counts from outcome_stat',
        )
        const sums = new Map<string, number>()
        const domainSums = new Map<string, Map<string, number>>()
        const minutes = new Map<string, Set<number>>()
        for (const { accountId, minuteMs: at, type, reason, count, domains } of written) {
          const interval = `${accountId} ${slot(at)}`
          add(sums, `${interval} ${type} ${reason}`, count)
          minutes.set(interval, (minutes.get(interval) ?? new Set<number>()).add(at))
          const ofInterval = domainSums.get(interval) ?? new Map<string, number>()
          domainSums.set(interval, ofInterval)
          for (const [domain, n] of domains) add(ofInterval, domain, n)
        }
        const mergedSums = new Map<string, number>()
        const mergedDomains = new Map<string, Map<string, number>>()
        for (const row of rows) {
          expect(row.width * 1_000).toBe(widthMs(nowMs - row.at.getTime()))
          const interval = `${row.account_id} ${row.at.getTime()}`
          add(mergedSums, `${interval} ${row.type} ${row.reason}`, row.count)
          const ofInterval = mergedDomains.get(interval) ?? new Map<string, number>()
          mergedDomains.set(interval, ofInterval)
          row.domains.forEach((domain, n) => add(ofInterval, domain, Number(row.domain_counts[n])))
        }
        expect(mergedSums).toEqual(sums)
        for (const [interval, all] of domainSums) {
          const kept = mergedDomains.get(interval) ?? new Map<string, number>()
          expect(kept.size).toBeLessThanOrEqual(100)
          for (const [domain, count] of kept) expect(count).toBeLessThanOrEqual(all.get(domain) ?? 0)
          // an interval of several minutes is merged twice, and the first time may drop a domain in one of them
          if (minutes.get(interval)?.size !== 1) continue
          expect(kept.size).toBe(Math.min(100, all.size))
          for (const [domain, count] of kept) expect(count).toBe(all.get(domain))
          const dropped = [...all].filter(([domain]) => !kept.has(domain)).map(([, count]) => count)
          expect(Math.min(...kept.values())).toBeGreaterThanOrEqual(Math.max(0, ...dropped))
        }
      }),
      // shrinking takes minutes with so many rows
      { numRuns: 15, endOnFailure: true },
    )
  })

  test('an interval is merged when it is over, into one row', async () => {
    await db.query('truncate outcome_stat')
    const startMs = Math.floor((Date.now() - 20 * dayMs) / (6 * hourMs)) * 6 * hourMs
    const [accountId = ''] = accounts
    for (const hours of [0, 2, 4, 5.9]) {
      const minuteMs = startMs + hours * hourMs
      const one = {
        accountId,
        minuteMs,
        type: 'email.delivered',
        reason: '',
        count: 1,
        domains: new Map(),
      } as const
      await writeOutcomeCounts(db, 1, [one])
    }
    // as often as maintenance does it
    for (let hours = 1; hours <= 6.5; hours += 0.5)
      await mergeStatistics(db, startMs + 15 * dayMs + hours * hourMs)
    expect(await db.query('select at, width_seconds as width, count from outcome_stat')).toEqual([
      { at: new Date(startMs), width: 6 * 3_600, count: 4 },
    ])
  })

  test('what is counted while statistics are read never makes a number negative', async () => {
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const atMs = Math.floor(Date.now() / minuteMs) * minuteMs
    const countOne = async (): Promise<void> => {
      const domains = new Map([['late.example', 5]])
      await writeOutcomeCounts(db, 1, [
        { accountId, minuteMs: atMs, type: 'email.delivered', reason: '', count: 5, domains },
      ])
    }
    await countOne()
    const whileCounting = async <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> => {
      const rows = await db.query<Row>(text, values)
      await countOne()
      return rows
    }
    const { outcomes } = await getStats({ ...ctx, db: { ...db, query: whileCounting } }, accountId, {})
    expect(outcomes?.domains.map(one => one.delivered)).toEqual([outcomes?.total.delivered])
  })

  test('after the retention, counts have no domains any more', async () => {
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const nowMs = Date.now()
    for (const [days, domain] of [
      [40, 'old.example'],
      [20, 'young.example'],
    ] as const) {
      const at = Math.floor((nowMs - days * dayMs) / minuteMs) * minuteMs
      await writeOutcomeCounts(db, 1, [
        {
          accountId,
          minuteMs: at,
          type: 'email.delivered',
          reason: '',
          count: 3,
          domains: new Map([[domain, 2]]),
        },
      ])
    }
    await mergeStatistics(db, nowMs)
    await forgetDomains(ctx, nowMs)
    const since = new Date(nowMs - 50 * dayMs).toISOString()
    const { outcomes } = await getStats(ctx, accountId, { since, bucket: '1d' })
    expect(outcomes?.total.delivered).toBe(6)
    expect(outcomes?.domains.map(one => [one.domain, one.delivered])).toEqual([
      ['young.example', 2],
      [null, 4],
    ])
  })

  test('counts of attempts and outcomes expire after the days of statistics, and younger ones stay', async () => {
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const nowMs = Date.now()
    for (const days of [41, 39]) {
      const at = Math.floor((nowMs - days * dayMs) / minuteMs) * minuteMs
      const outcome = { accountId, minuteMs: at, type: 'email.delivered', reason: '', count: 3 } as const
      await writeOutcomeCounts(db, 1, [{ ...outcome, domains: new Map() }])
      await db.query(
        `insert into attempt_stat (account_id, endpoint_id, at, width_seconds, process, result, count, last_at,
           latency_buckets, latency_counts)
         values ($1, $1, $2, 60, 1, 'delivered', 2, $2, '{5}', '{2}')`,
        [accountId, new Date(at)],
      )
    }
    const expire = async (statsDays: number) =>
      await expireStatistics({ db, settings: { ...ctx.settings, statsDays } }, nowMs)
    const counts = async () => {
      const since = new Date(nowMs - 50 * dayMs).toISOString()
      const { total, outcomes } = await getStats(ctx, accountId, { since, bucket: '1d' })
      return [total.delivered, outcomes?.total.delivered]
    }
    await expire(40)
    expect(await counts(), 'not merged yet').toEqual([4, 6])
    await mergeStatistics(db, nowMs)
    await expire(42)
    expect(await counts()).toEqual([4, 6])
    await expire(40)
    expect(await counts()).toEqual([2, 3])
    const { recorded_since: since } = await getStats(ctx, accountId, {})
    expect(Date.parse(since ?? '')).toBeGreaterThan(nowMs - 40 * dayMs)
  })
})

function add(sums: Map<string, number>, key: string, count: number): void {
  sums.set(key, (sums.get(key) ?? 0) + count)
}
