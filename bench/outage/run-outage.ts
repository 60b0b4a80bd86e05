import { setTimeout as wait } from 'node:timers/promises'
import type { RetryPolicy } from '../../packages/server/src/domain/backoff.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import { until } from '../../packages/server/test/support/until.ts'
import { balance } from '../support/balance.ts'
import { feed, reportsOf } from '../support/feed.ts'
import { finished } from '../support/finished.ts'
import { epochMs } from '../support/latency-window.ts'
import { startLoadProcess } from '../support/load-process.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { offer } from '../support/offer.ts'
import { newPlace } from '../support/place.ts'
import { type Latencies, startReceiverProcess } from '../support/receiver-process.ts'
import { type Sample, startSampler } from './sampler.ts'

export interface Plan {
  retry: RetryPolicy
  attemptTimeoutSeconds: number
  capacityOutcomes: number
  warmUpSeconds: number
  awaySeconds: number
  /** The run ends after this time, even if deliveries still wait. */
  recoverySecondsMax: number
}

export interface Measured {
  capacityPerSecond: number
  offeredPerSecond: number
  /** In epoch milliseconds: start of the load, start and end of the outage, end of the backlog. */
  beganAtMs: number
  wentAtMs: number
  cameAtMs: number
  goneAtMs: number
  samples: readonly Sample[]
  latencies: Latencies
  unbalanced: string[]
}

const receivers = 100
const outcomesPerRequest = 5

/** Ten receivers reset connections, and ten hang. */
const away = ['resetting', 'hanging'] as const

function groupOf(n: number): string {
  return n % 10 === 0 ? 'resetting' : n % 10 === 5 ? 'hanging' : 'staying'
}

/** Measures the capacity, runs at half of it, then through the outage until the backlog is gone. */
export async function runOutage(plan: Plan, postgres: PostgresServer): Promise<Measured> {
  using receiver = await startReceiverProcess()
  using load = await startLoadProcess()
  await using place = await newPlace('PostgreSQL', postgres)
  const installation = newInstallation(place)
  await using service = await startService(installation, {
    POSTHORN_RETRY_BASE_SECONDS: String(plan.retry.baseSeconds),
    POSTHORN_RETRY_CAP_SECONDS: String(plan.retry.capSeconds),
    POSTHORN_ATTEMPT_TIMEOUT_SECONDS: String(plan.attemptTimeoutSeconds),
  })
  const customers = await newAccounts(service.url, service.operator, {
    accounts: receivers,
    endpointsEach: 1,
    url: n => `http://127.0.1.${n}:${receiver.port}/${groupOf(n)}/${n}`,
  })
  const accountIds = customers.map(customer => customer.accountId)

  // runs twice, because the first run only warms up the code and makes the endpoints proven
  let capacityPerSecond = 0
  for (const round of [1, 2]) {
    const startedMs = performance.now()
    await feed(service.url, installation.adminToken, reportsOf(accountIds, plan.capacityOutcomes))
    await finished(service.url, round * plan.capacityOutcomes)
    capacityPerSecond = (plan.capacityOutcomes / (performance.now() - startedMs)) * 1_000
  }

  const offeredPerSecond = capacityPerSecond / 2
  const sampler = startSampler(service.url, receiver, away)
  const beganAtMs = epochMs()
  const offered = offer(
    load,
    {
      url: service.url,
      credentials: [installation.adminToken],
      accountIds,
      outcomesPerRequest,
      firstOutcome: 2 * plan.capacityOutcomes,
      connections: 64,
    },
    { requestsPerSecond: offeredPerSecond / outcomesPerRequest, seconds: Math.min(10, plan.warmUpSeconds) },
  )
  await wait(plan.warmUpSeconds * 1_000)
  const wentAtMs = epochMs()
  const usual = Math.max(...sampler.samples.map(sample => sample.backlog))
  receiver.behave('resetting', 'reset')
  receiver.behave('hanging', 'hang')
  await wait(plan.awaySeconds * 1_000)
  for (const group of away) receiver.behave(group, 'ok')
  const cameAtMs = epochMs()
  await until(
    'the backlog is gone, or the time is up',
    () => {
      const latest = sampler.samples.at(-1)
      if (latest === undefined || latest.atMs < cameAtMs) return false
      return latest.backlog <= usual || epochMs() - cameAtMs > plan.recoverySecondsMax * 1_000
    },
    (plan.recoverySecondsMax + 60) * 1_000,
  )
  const goneAtMs = epochMs()
  const { accepted, faults } = await offered.stop()
  await sampler.stop()

  await service.stop()
  const latencies = await receiver.latencies()
  const all = accepted + 2 * plan.capacityOutcomes
  const arrived = await receiver.ledger()
  const ledger = { accepted: all, deliveries: all, arrived, duplicatesAllowed: true }
  return {
    capacityPerSecond,
    offeredPerSecond,
    beganAtMs,
    wentAtMs,
    cameAtMs,
    goneAtMs,
    samples: sampler.samples,
    latencies,
    unbalanced: [...(await balance(place, ledger)), ...faults],
  }
}
