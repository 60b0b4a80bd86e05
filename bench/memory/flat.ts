import { setTimeout as wait } from 'node:timers/promises'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import { balance } from '../support/balance.ts'
import { feed, reportsOf } from '../support/feed.ts'
import { finished } from '../support/finished.ts'
import { median } from '../support/median.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { newPlace } from '../support/place.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'
import { rssMiB } from '../support/rss.ts'

const sampleEveryMs = 100
const accounts = 10
const fanOut = 5

export interface FlatRun {
  /** The median memory in MiB for each tenth of the deliveries. A tenth that was too short has none. */
  tenthsMiB: number[]
  unbalanced: string[]
}

/** Sends deliveries and samples the memory of the service. */
export async function flat(deliveries: number, postgres: PostgresServer): Promise<FlatRun> {
  using receiver = await startReceiverProcess()
  await using place = await newPlace('PostgreSQL', postgres)
  const installation = newInstallation(place)
  await using service = await startService(installation)
  const customers = await newAccounts(service.url, service.operator, {
    accounts,
    endpointsEach: fanOut,
    url: n => `http://127.0.0.1:${receiver.port}/ok/${n}`,
  })
  const accountIds = customers.map(({ accountId }) => accountId)
  const outcomes = deliveries / fanOut
  const fed = feed(service.url, installation.adminToken, reportsOf(accountIds, outcomes))
  const tenths = Array.from({ length: 10 }, (): number[] => [])
  let done = 0
  while (done < deliveries) {
    // returns at once with the number that is finished
    done = await finished(service.url, deliveries, 0)
    tenths[Math.min(9, Math.floor((10 * done) / deliveries))]?.push(rssMiB(service.pid))
    await wait(sampleEveryMs)
  }
  await fed
  await service.stop()
  const arrived = await receiver.ledger()
  const unbalanced = await balance(place, { accepted: outcomes, deliveries, arrived })
  return { tenthsMiB: tenths.filter(samples => samples.length > 0).map(median), unbalanced }
}
