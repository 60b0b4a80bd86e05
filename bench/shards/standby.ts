import type { Queryable } from '../../packages/server/src/db/database.ts'
import { findPostgres } from '../../packages/server/test/support/postgres-server.ts'
import { startReplicatedPair } from '../../packages/server/test/support/postgres-standby.ts'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import { acknowledged } from '../support/acknowledged.ts'
import { balance } from '../support/balance.ts'
import { cpuTimeMs } from '../support/cpu-time.ts'
import { finished } from '../support/finished.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'
import type { Load } from './measure-cost.ts'
import { Reported, type Traffic } from './reported.ts'

export interface StandbyRun {
  /** CPU per event in microseconds: of the standby, and of its one process that replays the WAL. */
  standby: number
  replay: number
  unbalanced: string[]
}

/** One shard without a front whose commits wait for a standby: what the standby spends on each event. */
export async function measureStandby(traffic: Traffic, load: Load): Promise<StandbyRun> {
  const [postgres] = findPostgres()
  if (postgres === undefined)
    throw new Error('PostgreSQL is missing on this machine. Run npm ci to install it.')
  using receiver = await startReceiverProcess()
  await using pair = await startReplicatedPair(postgres, { synchronous: true })
  const installation = newInstallation(pair.place)
  await using service = await startService(installation)
  const customers = await newAccounts(service.url, service.operator, {
    accounts: 100,
    endpointsEach: 1,
    url: n => `http://127.0.0.1:${receiver.port}/ok/${n}`,
  })
  const reported = new Reported(customers, 1)
  const deliver = async (outcomes: number): Promise<void> => {
    const send = reported.prepare(traffic, outcomes)
    await send(service.url, installation.adminToken)
    await acknowledged(receiver, 'ok', reported.count)
    await finished(service.url, reported.count)
    await pair.waitUntilStandbyHasAll()
  }
  await deliver(load.warmUp)
  const standby = pair.standby.pid()
  const startup = await pair.on(pair.standby, async db => await replayProcess(db))
  const before = { standby: cpuTimeMs(standby), replay: cpuTimeMs(startup) }
  await deliver(load.outcomes)
  const perEvent = (sinceMs: number, pid: number): number =>
    ((cpuTimeMs(pid) - sinceMs) * 1_000) / load.outcomes
  const run = { standby: perEvent(before.standby, standby), replay: perEvent(before.replay, startup) }
  await service.stop()
  const arrived = await receiver.ledger()
  const { count } = reported
  return { ...run, unbalanced: await balance(pair.place, { accepted: count, deliveries: count, arrived }) }
}

async function replayProcess(db: Queryable): Promise<number> {
  const [row] = await db.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'startup'`,
  )
  if (row === undefined) throw new Error('the standby has no process that replays')
  return row.pid
}
