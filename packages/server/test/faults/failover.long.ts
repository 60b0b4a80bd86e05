import { expect } from 'vitest'
import { customerAt, newCustomer } from '../support/api.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { newestPostgres, type ReplicatedPair, startReplicatedPair } from '../support/postgres-standby.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

const settings = { POSTHORN_LEASE_SECONDS: '5', POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '3' }

fault(
  'G5',
  'two processes continue on the synchronous standby, and no event accepted with 202 is lost',
  async seen => {
    await using pair = await startReplicatedPair(newestPostgres(), { synchronous: true })
    await using receiver = await startReceiver()
    const installation = newInstallation(pair.place)
    await using first = await startService(installation, settings)
    await using second = await startService(installation, settings)
    const customer = await newCustomer(first.url, first.operator)
    await customer.newWebhook({ url: receiver.url() })

    let requests = 0
    const traffic = startTraffic({
      url: () => (requests++ % 2 === 0 ? first.url : second.url),
      apiKey: customer.apiKey,
      pauseMs: 20,
    })
    await receiver.waitForEvents(500)
    pair.primary.kill()
    const killedAtMs = performance.now()
    await until('requests are refused', () => traffic.answers.has(503))
    pair.promote()
    const before = traffic.accepted.length
    await until('reports are accepted again', () => traffic.accepted.length > before)
    const awayMs = Math.round(performance.now() - killedAtMs)

    // the old primary returns as a standby and is read-only, so no process may use it
    pair.bringBackAsStandby()
    await until('it answers', async () => await isInRecovery(pair, pair.primary))
    await using late = await startService(installation, settings)
    await receiver.waitForEvents(receiver.counts().size + 500)
    expect(await connectionsTo(pair, pair.primary)).toBe(0)
    expect(await connectionsTo(pair, pair.standby)).toBeGreaterThan(0)
    await traffic.stop()

    const after = customerAt(late.url, customer.accountId, customer.apiKey)
    const { events, duplicates } = await reconcile(after, receiver, { accepted: traffic.accepted })
    expect([...traffic.answers.keys()].filter(status => ![0, 202, 503].includes(status))).toEqual([])
    seen(`${events} events, no report accepted for ${awayMs} ms, ${duplicates} duplicates`)
  },
)

async function isInRecovery(pair: ReplicatedPair, server: PostgresServer): Promise<boolean> {
  const [row] = await pair.on(
    server,
    async db => await db.query<{ standby: boolean }>('select pg_is_in_recovery() as standby'),
  )
  return row?.standby === true
}

/** Counts the connections of the services. Those of the tests have another name. */
async function connectionsTo(pair: ReplicatedPair, server: PostgresServer): Promise<number> {
  const [row] = await pair.on(
    server,
    async db =>
      await db.query<{ count: number }>(
        `select count(*) from pg_stat_activity where application_name = 'posthorn' and pid <> pg_backend_pid()`,
      ),
  )
  return row?.count ?? 0
}
