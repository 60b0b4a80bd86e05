import { fileURLToPath } from 'node:url'
import { openPlace } from '../../packages/server/test/support/open-place.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import type { DatabasePlace } from '../../packages/server/test/support/test-database.ts'
import { balance } from '../support/balance.ts'
import { finished } from '../support/finished.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { newPlace } from '../support/place.ts'
import { type Ledger, startReceiverProcess } from '../support/receiver-process.ts'
import { bareTable } from './bare-store.ts'

/** One of the compared services. All get the same requests, one service at a time. */
export interface Contender extends AsyncDisposable {
  url: string
  pid: number
  credential: string
  /** Resolves when all background work after the responses is done. */
  quiet(accepted: number): Promise<void>
  /** Stops it and returns where its ledger differs from the number of accepted outcomes. */
  end(accepted: number): Promise<string[]>
}

/** The same route with only a group commit into one table of ids and bodies. */
export async function bareGroupCommit(postgres: PostgresServer): Promise<Contender> {
  return await startContender(postgres, {
    main: bareMain,
    settings: { POSTHORN_ROLE: 'api', BARE_STORE: 'one table' },
    ledger: async (place, accepted) => {
      await using db = await openPlace(place)
      const [row] = await db.query<{ stored: number }>('select count(*)::int as stored from bare')
      return row?.stored === accepted ? [] : [`bare: ${accepted} accepted, ${row?.stored} stored`]
    },
  })
}

/** The same route without a store. */
export async function storesNothing(postgres: PostgresServer): Promise<Contender> {
  return await startContender(postgres, {
    main: bareMain,
    settings: { POSTHORN_ROLE: 'api', BARE_STORE: 'nothing' },
    ledger: async () => await Promise.resolve([]),
  })
}

/**
 * Posthorn as it is.
 * @param role `api` only stores deliveries. `all` also sends them to a separate receiver.
 */
export async function product(postgres: PostgresServer, role: 'api' | 'all'): Promise<Contender> {
  return await startContender(postgres, {
    settings: { POSTHORN_ROLE: role },
    ledger: async (place, accepted, arrived) =>
      await balance(place, { accepted, deliveries: accepted, arrived }),
  })
}

const bareMain = fileURLToPath(new URL('bare-main.ts', import.meta.url))

interface Making {
  /** Replaces `main.ts`. */
  main?: string
  settings: { POSTHORN_ROLE: 'api' | 'all'; BARE_STORE?: 'one table' | 'nothing' }
  ledger: (place: DatabasePlace, accepted: number, arrived: Ledger) => Promise<string[]>
}

/** Starts it with one account and one endpoint that subscribes to everything. */
async function startContender(
  postgres: PostgresServer,
  { main, settings, ledger }: Making,
): Promise<Contender> {
  await using opened = new AsyncDisposableStack()
  const receiver = opened.use(await startReceiverProcess())
  const place = opened.use(await newPlace('PostgreSQL', postgres))
  if (main === bareMain) {
    await using db = await openPlace(place)
    await db.query(bareTable)
  }
  const service = opened.use(
    await startService({ ...newInstallation(place), ...(main !== undefined && { main }) }, settings),
  )
  const [customer] = await newAccounts(service.url, service.operator, {
    accounts: 1,
    endpointsEach: 1,
    url: n => `http://127.0.0.1:${receiver.port}/ok/${n}`,
  })
  const all = opened.move()
  return {
    url: service.url,
    pid: service.pid,
    credential: customer?.apiKey ?? '',
    quiet: async accepted => {
      if (settings.POSTHORN_ROLE === 'all') await finished(service.url, accepted)
    },
    end: async accepted => {
      await service.stop()
      return await ledger(place, accepted, await receiver.ledger())
    },
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}
