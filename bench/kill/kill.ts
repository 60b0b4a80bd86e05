import { setTimeout as wait } from 'node:timers/promises'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { openPlace } from '../../packages/server/test/support/open-place.ts'
import { until } from '../../packages/server/test/support/until.ts'
import type { DatabasePlace } from '../../packages/server/test/support/test-database.ts'
import { balance } from '../support/balance.ts'
import { atMost, type Bench, type BenchResult, type Scale } from '../support/bench.ts'
import { feed, reportsOf } from '../support/feed.ts'
import { finished } from '../support/finished.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { type DatabaseKind, newPlace, startBenchPostgres } from '../support/place.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'

const endpoints = 100
const outcomesPerReport = 5
/** A typical response time on the internet, so that many attempts are in flight. */
const answerAfterMs = 50
/** The default lease and five seconds. */
const restSecondsMax = 25

/** `kill -9` under load and an immediate restart: how many deliveries arrive twice, and how soon do the others arrive? */
export const kill: Bench = {
  name: 'kill',
  run: async scale => {
    await using postgres = await startBenchPostgres(scale)
    const result: BenchResult = { rows: [], unbalanced: [] }
    for (const database of ['PostgreSQL', 'embedded'] as const) {
      for (const perSecond of [1_000, null]) {
        const load = `${database}, ${perSecond === null ? 'full rate' : `${perSecond} a second`}`
        const killed = await killAndStart(database, perSecond, scale, postgres)
        result.unbalanced.push(...killed.unbalanced.map(fault => `${load}: ${fault}`))
        result.rows.push(
          {
            what: `${load}: delivered twice`,
            measured: `${killed.duplicates} of ${killed.deliveries}`,
            beside: `${killed.unwritten} attempts without a written result`,
            goal: { text: '≤ these attempts', met: killed.duplicates <= killed.unwritten },
          },
          {
            what: `${load}: until the rest is delivered`,
            measured: `${killed.restSeconds.toFixed(1)} s`,
            goal: atMost(restSecondsMax, killed.restSeconds, ' s'),
          },
        )
      }
    }
    return result
  },
}

interface Killed {
  deliveries: number
  duplicates: number
  /** Requests that the receivers had when the service was killed, less the attempts that the database knew. */
  unwritten: number
  restSeconds: number
  unbalanced: string[]
}

/** @param perSecond outcomes; null: as fast as the service accepts them */
async function killAndStart(
  database: DatabaseKind,
  perSecond: number | null,
  scale: Scale,
  postgres: PostgresServer,
): Promise<Killed> {
  using receiver = await startReceiverProcess()
  await using place = await newPlace(database, postgres)
  const installation = newInstallation(place)
  const warmUp = scale === 'quick' ? 200 : 10_000
  const outcomes = (perSecond ?? 5_000) * (scale === 'quick' ? 0.2 : 5)
  const all = warmUp + outcomes
  {
    await using service = await startService(installation)
    const customers = await newAccounts(service.url, service.operator, {
      accounts: endpoints,
      endpointsEach: 1,
      url: n => `http://127.0.1.${n + 1}:${receiver.port}/slow/${n}`,
    })
    const accountIds = customers.map(({ accountId }) => accountId)
    await feed(service.url, installation.adminToken, reportsOf(accountIds, warmUp))
    await finished(service.url, warmUp)
    receiver.behave('slow', { okAfterMs: answerAfterMs })
    if (perSecond === null) await feed(service.url, installation.adminToken, reportsOf(accountIds, outcomes))
    else await feedEvenly(service.url, installation.adminToken, accountIds, { outcomes, perSecond })
    await service.kill()
  }
  const killedAtMs = performance.now()
  const atKill = await receiver.ledger()
  const written = await attemptsIn(place)
  await using again = await startService(installation)
  await until('everything has arrived', async () => (await receiver.ledger()).deliveries >= all, 120_000)
  const restSeconds = (performance.now() - killedAtMs) / 1_000
  // duplicates may arrive last
  await finished(again.url, all - written)
  await again.stop()
  const arrived = await receiver.ledger()
  return {
    deliveries: all,
    duplicates: arrived.requests - arrived.deliveries,
    unwritten: atKill.requests - written,
    restSeconds,
    unbalanced: await balance(place, { accepted: all, deliveries: all, arrived, duplicatesAllowed: true }),
  }
}

/** Reports outcomes at a steady rate. */
async function feedEvenly(
  url: string,
  adminToken: string,
  accountIds: readonly string[],
  { outcomes, perSecond }: { outcomes: number; perSecond: number },
): Promise<void> {
  const startedAtMs = performance.now()
  let reported = 0
  for (const report of reportsOf(accountIds, outcomes, outcomesPerReport)) {
    await wait(Math.max(0, startedAtMs + (reported / perSecond) * 1_000 - performance.now()))
    await feed(url, adminToken, [report])
    reported += outcomesPerReport
  }
}

async function attemptsIn(place: DatabasePlace): Promise<number> {
  await using db = await openPlace(place)
  const [row] = await db.query<{ count: number }>('select count(*)::int as count from attempt')
  return row?.count ?? 0
}
