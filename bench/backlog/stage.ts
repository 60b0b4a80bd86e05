import type { Database } from '../../packages/server/src/db/database.ts'
import { openDatabase } from '../../packages/server/src/db/open-database.ts'
import { lookupsOnlySettings, ordinarySettings } from '../../packages/server/src/db/session-settings.ts'
import { parseTypeId } from '../../packages/server/src/domain/type-id.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import {
  type Installation,
  newInstallation,
  startService,
} from '../../packages/server/test/support/service-process.ts'
import { balance } from '../support/balance.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { newPlace } from '../support/place.ts'
import { type ReceiverProcess, startReceiverProcess } from '../support/receiver-process.ts'
import { analyse, fill, type Fill } from './fill.ts'

/** A PostgreSQL database with accounts, endpoints, a receiver, and the ledger of all deliveries. */
export interface Stage extends AsyncDisposable {
  installation: Installation
  db: Database
  accounts: Array<{ id: string; apiKey: string; accountId: string; endpointIds: string[] }>
  fill(plan: Omit<Fill, 'accounts' | 'firstEvent'>, disabledEach?: number): Promise<void>
  /** Adds outcomes that a service accepted to the ledger. */
  accepted(events: number, deliveries: number): void
  unbalanced(): Promise<string[]>
}

export async function newStage(
  postgres: PostgresServer,
  size: { accounts: number; endpointsEach: number },
): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const receiver: ReceiverProcess = opened.use(await startReceiverProcess())
  const place = opened.use(await newPlace('PostgreSQL', postgres))
  const installation = newInstallation(place)
  const accounts: Stage['accounts'] = []
  {
    await using service = await startService(installation)
    const customers = await newAccounts(service.url, service.operator, {
      ...size,
      url: n => `http://127.0.0.1:${receiver.port}/ok/${n}`,
    })
    for (const { accountId: id, apiKey } of customers)
      accounts.push({ id, apiKey, accountId: parseTypeId('acct', id) ?? '', endpointIds: [] })
    await service.stop()
  }
  const connect = async (settings: readonly string[]): Promise<Database> => {
    const connection = opened.use(
      await openDatabase({
        url: place.databaseUrl,
        dataDir: '',
        connectionsMax: 1,
        settings,
        onLost: () => {},
      }),
    )
    // millions of rows take longer than any statement of the service
    await connection.query('set statement_timeout = 0')
    return connection
  }
  // the same planner settings as the hot path of the service
  const db = await connect(lookupsOnlySettings)
  const connections = [await connect(ordinarySettings), await connect(ordinarySettings)]
  for (const account of accounts) {
    const rows = await db.query<{ id: string }>('select id from endpoint where account_id = $1 order by id', [
      account.accountId,
    ])
    account.endpointIds = rows.map(row => row.id)
  }
  const stored = { events: 0, deliveries: 0, finished: 0 }
  const owned = opened.move()
  return {
    installation,
    db,
    accounts,
    fill: async (plan, disabledEach = 0) => {
      await fill(connections, { accounts, firstEvent: stored.events / accounts.length, ...plan })
      const events = plan.events * accounts.length
      stored.events += events
      stored.deliveries += events * plan.fanOut
      if (plan.as === 'finished') stored.finished += events * plan.fanOut
      const disabled = accounts.flatMap(({ endpointIds }) => endpointIds.slice(0, disabledEach))
      await db.query(
        `update endpoint set status = 'disabled', disabled_reason = 'manual' where id = any($1::uuid[])`,
        [`{${disabled.join(',')}}`],
      )
      await analyse(db)
      // finishes writing before the measurement
      await db.query('checkpoint')
    },
    accepted: (events, deliveries) => {
      stored.events += events
      stored.deliveries += deliveries
    },
    unbalanced: async () => {
      const arrived = await receiver.ledger()
      return await balance(place, {
        accepted: stored.events,
        deliveries: stored.deliveries,
        // rows that were filled in as delivered count as arrived
        arrived: {
          ...arrived,
          requests: arrived.requests + stored.finished,
          deliveries: arrived.deliveries + stored.finished,
        },
      })
    },
    [Symbol.asyncDispose]: async () => await owned.disposeAsync(),
  }
}
