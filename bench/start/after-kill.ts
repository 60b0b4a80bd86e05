import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectApi } from '../../packages/server/test/support/api.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { newInstallation } from '../../packages/server/test/support/service-process.ts'
import { balance } from '../support/balance.ts'
import { feed, reportsOf } from '../support/feed.ts'
import { finished } from '../support/finished.ts'
import type { Form } from '../support/installed.ts'
import { newAccounts } from '../support/new-accounts.ts'
import { operate } from '../support/operated.ts'
import { newPlace } from '../support/place.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'

const rowsOfDelivery = 4
const walSegmentMiB = 16

/**
 * Writes rows through accepting and delivering, kills the service, and starts it on copies of its data, so that each start
 * recovers the same state.
 */
export async function startsAfterKill(
  form: Form,
  { rows, times }: { rows: number; times: number },
  postgres: PostgresServer,
): Promise<{ readyMs: number[]; beside: string; unbalanced: string[] }> {
  using receiver = await startReceiverProcess()
  await using place = await newPlace('embedded', postgres)
  const installation = newInstallation(place)
  const outcomes = rows / rowsOfDelivery
  {
    await using service = await operate(form, installation)
    const customers = await newAccounts(service.url, connectApi(service.url, installation.adminToken), {
      accounts: 10,
      endpointsEach: 1,
      url: n => `http://127.0.0.1:${receiver.port}/ok/${n}`,
    })
    const accountIds = customers.map(({ accountId }) => accountId)
    await feed(service.url, installation.adminToken, reportsOf(accountIds, outcomes))
    await finished(service.url, outcomes)
    await service.kill()
  }
  const wal = readdirSync(join(place.dataDir, 'database', 'pg_wal')).filter(name =>
    /^[0-9A-F]{24}$/.test(name),
  )
  const readyMs: number[] = []
  const unbalanced: string[] = []
  for (let n = 0; n < times; n++) {
    const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
    cpSync(place.dataDir, dataDir, { recursive: true })
    const copy = { ...place, dataDir }
    await using service = await operate(form, { ...installation, place: copy })
    readyMs.push(service.readyMs)
    await service.stop()
    const arrived = await receiver.ledger()
    unbalanced.push(...(await balance(copy, { accepted: outcomes, deliveries: outcomes, arrived })))
    rmSync(dataDir, { recursive: true })
  }
  return { readyMs, beside: `${wal.length * walSegmentMiB} MiB of log`, unbalanced }
}
