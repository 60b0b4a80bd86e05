import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import { balance } from '../support/balance.ts'
import { finished } from '../support/finished.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { newPlace } from '../support/place.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'
import { startBareProcess } from './bare-process.ts'

/** One of those that are compared. All take the same requests, and only one of them is asked at a time. */
export interface Contender extends AsyncDisposable {
  url: string
  pid: number
  credential: string
  /** Resolves when nothing is under way any more that it does after its answers. */
  quiet(accepted: number): Promise<void>
  /** Stops it, and answers what of its ledger does not agree with this many accepted outcomes. */
  end(accepted: number): Promise<string[]>
}

/** Group commit into one table of ids and bodies, and nothing else. */
export async function bareGroupCommit(postgres: PostgresServer): Promise<Contender> {
  await using opened = new AsyncDisposableStack()
  const place = opened.use(await newPlace('PostgreSQL', postgres))
  const server = opened.use(await startBareProcess(place.databaseUrl))
  return bare(server, opened.move(), async accepted => {
    const stored = await server.stored()
    return stored === accepted ? [] : [`bare: ${accepted} accepted, ${stored} stored`]
  })
}

/** The same route without anything that stores. */
export async function storesNothing(): Promise<Contender> {
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await startBareProcess(null))
  return bare(server, opened.move(), async () => [])
}

function bare(
  { url, pid }: { url: string; pid: number },
  opened: AsyncDisposableStack,
  end: Contender['end'],
): Contender {
  return {
    url,
    pid,
    credential: 'none',
    quiet: async () => {},
    end,
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  }
}

/**
 * Posthorn with one account and one endpoint, subscribed to everything.
 * @param role `api` only stores deliveries; `all` makes them too, to a receiver of its own
 */
export async function product(postgres: PostgresServer, role: 'api' | 'all'): Promise<Contender> {
  await using opened = new AsyncDisposableStack()
  const receiver = opened.use(await startReceiverProcess())
  const place = opened.use(await newPlace('PostgreSQL', postgres))
  const service = opened.use(await startService(newInstallation(place), { POSTHORN_ROLE: role }))
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
      if (role === 'all') await finished(service.url, accepted)
    },
    end: async accepted => {
      await service.stop()
      const arrived = await receiver.ledger()
      return await balance(place, { accepted, deliveries: accepted, arrived })
    },
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}
