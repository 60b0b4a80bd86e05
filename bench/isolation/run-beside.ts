import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import { acknowledged } from '../support/acknowledged.ts'
import { balance } from '../support/balance.ts'
import { feed, reportsOf } from '../support/feed.ts'
import { type Footprint, watchFootprint } from '../support/footprint.ts'
import { epochMs, latenciesDueIn } from '../support/latency-window.ts'
import { startLoadProcess } from '../support/load-process.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { offer } from '../support/offer.ts'
import { percentile } from '../support/percentile.ts'
import { newPlace } from '../support/place.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'
import { type BadEndpoints, badBehaviours, badUrls } from './bad-endpoints.ts'

export interface Plan {
  bad: BadEndpoints | null
  healthy: number
  /** The rate of outcomes for healthy endpoints during the latency measurement. */
  healthyPerSecond: number
  measuredSeconds: number
  /** The number of outcomes for healthy endpoints during the throughput measurement. */
  saturatedOutcomes: number
  attemptTimeoutSeconds: number
}

export interface Measured {
  medianMs: number
  p99Ms: number
  perSecond: number
  most: Footprint
  unbalanced: string[]
}

/** Endpoints per account. They get the same event. */
const badEach = 10
/** How often each bad endpoint gets an event. */
const badEverySeconds = 30

/** One run with a new database: latency and throughput of healthy endpoints, with or without bad endpoints. */
export async function runBeside(plan: Plan, postgres: PostgresServer): Promise<Measured> {
  using receiver = await startReceiverProcess()
  using load = await startLoadProcess()
  using badLoad = await startLoadProcess()
  await using place = await newPlace('PostgreSQL', postgres)
  const installation = newInstallation(place)
  const attemptTimeout = String(plan.attemptTimeoutSeconds)
  await using service = await startService(installation, {
    POSTHORN_ATTEMPT_TIMEOUT_SECONDS: attemptTimeout,
  })
  for (const [group, behaviour] of Object.entries(badBehaviours)) receiver.behave(group, behaviour)
  const healthy = await newAccounts(service.url, service.operator, {
    accounts: plan.healthy,
    endpointsEach: 1,
    url: n => `http://127.0.1.${n}:${receiver.port}/ok/${n}`,
  })
  const urls = plan.bad === null ? [] : badUrls(plan.bad, receiver.port)
  const bad = await newAccounts(service.url, service.operator, {
    accounts: urls.length / badEach,
    endpointsEach: badEach,
    url: n => urls[n] ?? '',
  })
  using watch = watchFootprint(service.pid)

  const healthyIds = healthy.map(customer => customer.accountId)
  const report = { url: service.url, credentials: [installation.adminToken], connections: 16 }
  // makes each healthy endpoint proven before the bad ones start to fail
  const warmUp = plan.healthy * 20
  await feed(service.url, installation.adminToken, reportsOf(healthyIds, warmUp))
  await acknowledged(receiver, 'ok', warmUp)

  const badOffer =
    bad.length === 0
      ? null
      : offer(
          badLoad,
          { ...report, accountIds: bad.map(customer => customer.accountId) },
          { requestsPerSecond: bad.length / badEverySeconds, seconds: 1 },
        )
  const measureSeconds = plan.attemptTimeoutSeconds + plan.measuredSeconds
  const startedMs = epochMs()
  const steady = await load.run({
    ...report,
    accountIds: healthyIds,
    pace: { loop: 'open', requestsPerSecond: plan.healthyPerSecond, seconds: measureSeconds },
  })
  await acknowledged(receiver, 'ok', warmUp + steady.accepted)
  // after the first timeouts, as many hanging attempts end as start
  const window = {
    fromMs: startedMs + plan.attemptTimeoutSeconds * 1_000,
    untilMs: Number.POSITIVE_INFINITY,
  }
  const latencies = latenciesDueIn(await receiver.latencies(), 'ok', window)

  const reports = [...reportsOf(healthyIds, plan.saturatedOutcomes)]
  const saturatedMs = performance.now()
  await feed(service.url, installation.adminToken, reports)
  const wanted = warmUp + steady.accepted + plan.saturatedOutcomes
  await acknowledged(receiver, 'ok', wanted)
  const perSecond = (plan.saturatedOutcomes / (performance.now() - saturatedMs)) * 1_000

  const most = watch.stop()
  const badOffered = (await badOffer?.stop()) ?? { accepted: 0, faults: [] }
  // hanging attempts would delay the stop until they time out
  receiver.behave('hang', 'reset')
  await service.stop()
  const arrived = await receiver.ledger()
  const twice = (arrived.acknowledged['ok'] ?? 0) - wanted
  return {
    medianMs: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    perSecond,
    most,
    unbalanced: [
      ...(await balance(place, {
        accepted: wanted + badOffered.accepted,
        deliveries: wanted + badOffered.accepted * badEach,
        arrived,
        duplicatesAllowed: true,
      })),
      ...(twice === 0 ? [] : [`${twice} deliveries to healthy endpoints came twice`]),
      ...badOffered.faults,
    ],
  }
}
