import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { acknowledged } from '../support/acknowledged.ts'
import { finished } from '../support/finished.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'
import { eventsOf, ledger } from './ledger.ts'
import { Reported, type Traffic } from './reported.ts'
import { type ShardedInstallation, startShards } from './start-shards.ts'

const accounts = 100

/** An installation with accounts and a receiver, on new databases. */
export interface Stage extends AsyncDisposable {
  installation: ShardedInstallation
  accountIds: string[]
  /** Reports outcomes and waits until all are delivered and settled. */
  deliver(traffic: Traffic, outcomes: number): Promise<void>
  /** Stops the processes and returns where the ledger does not balance. */
  end(): Promise<string[]>
}

/** Starts one shard on each server, with a front if wanted. */
export async function startStage(
  servers: readonly PostgresServer[],
  { hasFront }: { hasFront: boolean },
): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const receiver = opened.use(await startReceiverProcess())
  const installation = opened.use(await startShards(servers, { hasFront }))
  const { entry, front, shards, adminToken } = installation
  const customers = await newAccounts(entry.url, entry.operator, {
    accounts,
    endpointsEach: 1,
    url: n => `http://127.0.0.1:${receiver.port}/ok/${n}`,
  })
  const reported = new Reported(customers, shards.length)
  const all = opened.move()
  return {
    installation,
    accountIds: customers.map(({ accountId }) => accountId),
    deliver: async (traffic, outcomes) => {
      const send = reported.prepare(traffic, outcomes)
      await send(entry.url, adminToken)
      await acknowledged(receiver, 'ok', reported.count)
      // the last results may still be on their way to the database
      for (const shard of shards) await finished(shard.service.url, await eventsOf(shard, reported))
    },
    end: async () => {
      await front?.stop()
      for (const { service } of shards) await service.stop()
      return await ledger(shards, reported, await receiver.ledger())
    },
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}
