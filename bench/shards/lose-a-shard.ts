import { setTimeout as wait } from 'node:timers/promises'
import { type Customer, newCustomer } from '../../packages/server/test/support/api.ts'
import { childrenOf } from '../../packages/server/test/support/children-of.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { epochMs, latenciesDueIn } from '../support/latency-window.ts'
import type { LoadReport } from '../support/load-plan.ts'
import { type LoadProcess, startLoadProcess } from '../support/load-process.ts'
import { percentile } from '../support/percentile.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'
import { lostLedger, othersLedger } from './loss-ledger.ts'
import { shardAccounts } from './shard-accounts.ts'
import { type StartedShard, startShards } from './start-shards.ts'

/** How the database of a shard is lost: it stops at once, or its processes freeze and connections stay open. */
export type Loss = 'stopped' | 'frozen'

export interface LossPlan {
  accounts: number
  /** Events per second of each shard, one in each request. */
  perSecond: number
  warmUpSeconds: number
  beforeSeconds: number
  lostSeconds: number
  afterSeconds: number
}

export interface LossRun {
  /** From the report of an event to its arrival, for the accounts of the other shard. */
  beforeP99Ms: number
  lostP99Ms: number
  /** What the accounts of the lost shard got instead of 202, by status. */
  refused: Record<string, number>
  /** Until the lost shard accepts again after its database is back. */
  returnSeconds: number
  /** Events that the other shard accepted and delivered exactly once. */
  others: number
  unbalanced: string[]
}

/** Two shards under the same load lose one database for a while. */
export async function loseShard(
  { lost, loss }: { lost: number; loss: Loss },
  plan: LossPlan,
  servers: readonly PostgresServer[],
): Promise<LossRun> {
  using receiver = await startReceiverProcess()
  using lostLoad = await startLoadProcess()
  using otherLoad = await startLoadProcess()
  await using installation = await startShards(servers.slice(0, 2), { hasFront: true })
  const { entry, shards } = installation
  const [lostShard, otherShard] = lost === 0 ? shards : shards.toReversed()
  if (lostShard === undefined || otherShard === undefined) throw new Error('two shards are needed')
  // one after the other, so that each goes to the shard with fewer accounts
  const customers: Customer[] = []
  while (customers.length < plan.accounts) customers.push(await newCustomer(entry.url, entry.operator))
  const keysOf = async (shard: StartedShard, group: string): Promise<string[]> => {
    const owned = await shardAccounts(shard)
    const own = customers.filter(({ accountId }) => owned.has(accountId))
    for (const [n, customer] of own.entries()) {
      await customer.newWebhook({ url: `http://127.0.0.1:${receiver.port}/${group}/${n}` })
    }
    return own.map(({ apiKey }) => apiKey)
  }
  const report = async (load: LoadProcess, credentials: string[], seconds: number, firstOutcome: number) =>
    await load.run({
      url: entry.url,
      credentials,
      firstOutcome,
      connections: 64,
      pace: { loop: 'open', requestsPerSecond: plan.perSecond, seconds },
    })
  const lostKeys = await keysOf(lostShard, 'lost')
  const otherKeys = await keysOf(otherShard, 'others')
  const warm = await Promise.all([
    report(lostLoad, lostKeys, plan.warmUpSeconds, 0),
    report(otherLoad, otherKeys, plan.warmUpSeconds, 0),
  ])

  const seconds = plan.beforeSeconds + plan.lostSeconds + plan.afterSeconds
  const beganMs = epochMs()
  const reports = Promise.all([
    report(lostLoad, lostKeys, seconds, 1_000_000),
    report(otherLoad, otherKeys, seconds, 1_000_000),
  ])
  await wait(plan.beforeSeconds * 1_000)
  const lostMs = epochMs()
  const bringBack = lose(lostShard.postgres, loss)
  await wait(plan.lostSeconds * 1_000)
  const lostUntilMs = epochMs()
  bringBack()
  const backMs = epochMs()
  const [ofLost, ofOthers] = await reports

  const ledgers = [
    await lostLedger(lostShard, [warm[0], ofLost], receiver),
    await othersLedger(otherShard, [warm[1], ofOthers], receiver),
  ]
  const latencies = await receiver.latencies()
  const p99Ms = (fromMs: number, untilMs: number): number =>
    percentile(latenciesDueIn(latencies, 'others', { fromMs, untilMs }), 0.99)
  return {
    beforeP99Ms: p99Ms(beganMs, lostMs),
    lostP99Ms: p99Ms(lostMs, lostUntilMs),
    refused: ofLost.refused,
    returnSeconds: (firstAnswerAfter(ofLost, backMs) - backMs) / 1_000,
    others: warm[1].accepted + ofOthers.accepted,
    unbalanced: ledgers.flat(),
  }
}

/** Takes a server away and returns what brings it back. */
function lose(postgres: PostgresServer, loss: Loss): () => void {
  if (loss === 'stopped') {
    postgres.stop('immediate')
    return () => postgres.start()
  }
  const parent = postgres.pid()
  // the parent first, so that it starts no more children
  process.kill(parent, 'SIGSTOP')
  const all = [...childrenOf(parent), parent]
  for (const pid of all) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of all) process.kill(pid, 'SIGCONT')
  }
}

function firstAnswerAfter({ answered }: LoadReport, sinceMs: number): number {
  const times = answered.dueAtMs.map((dueMs, n) => dueMs + (answered.answerMs[n] ?? 0))
  return times.find(atMs => atMs >= sinceMs) ?? Number.NaN
}
