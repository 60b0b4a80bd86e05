import { expect } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { newCustomer } from '../support/api.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'

const settings = { POSTHORN_LEASE_SECONDS: '3', POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '1.5' }
const inFlight = 5

/** How long a drain may take: 25 seconds, and the same again for a slow machine. */
const drainMsMax = 50_000

for (const harm of ['away', 'read-only'] as const) {
  fault(
    'F62',
    `on SIGTERM while the database is ${harm}, the process exits within the drain time, and unwritten results are sent again`,
    async seen => {
      await using server = await newestPostgres()
      await using place = await newDatabasePlace({ name: 'its own', serverUrl: server.url('postgres') })
      const answers: Array<() => void> = []
      await using receiver = await startReceiver((_, response) => {
        answers.push(() => response.writeHead(204).end())
        return undefined
      })
      const installation = newInstallation(place)
      // no attempt may end before the database refuses writes
      await using service = await startService(installation, {
        POSTHORN_LEASE_SECONDS: '30',
        POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '15',
      })
      const customer = await newCustomer(service.url, service.operator)
      await customer.newWebhook({ url: receiver.url() })
      const events = await customer.report(inFlight)
      await until('all attempts are under way', () => answers.length === inFlight)

      if (harm === 'away') server.stop('fast')
      else await runOn(server.url('postgres'), 'alter system set default_transaction_read_only = on')
      for (const answer of answers) answer()
      const fromMs = performance.now()
      let exitCode: number | null = null
      void service.stop().then(code => (exitCode = code))
      await until('it has ended', () => exitCode !== null, drainMsMax)
      const tookMs = performance.now() - fromMs
      expect(exitCode).toBe(1)
      expect(service.output()).toContain('draining took too long')

      receiver.respondWith(() => 204)
      receiver.received.splice(0)
      if (harm === 'away') server.start()
      else await runOn(server.url('postgres'), 'alter system reset default_transaction_read_only')
      await using _again = await startService(installation, settings)
      await receiver.waitForEvents(inFlight, 60_000)
      expect([...receiver.counts().keys()].sort()).toEqual(events.toSorted())
      seen(`${inFlight} attempts in flight, database ${harm}: exited after ${(tookMs / 1_000).toFixed(0)} s`)
    },
  )
}

fault(
  'F62',
  'while the database is read-only, `/readyz` says so and reports get 503; afterwards delivery resumes without a restart',
  async seen => {
    await using server = await newestPostgres()
    await using place = await newDatabasePlace({ name: 'its own', serverUrl: server.url('postgres') })
    await using receiver = await startReceiver()
    await using service = await startService(newInstallation(place), settings)
    const customer = await newCustomer(service.url, service.operator)
    await customer.newWebhook({ url: receiver.url() })
    const readyz = async (): Promise<[number, string]> => {
      const response = await fetch(`${service.url}/readyz`)
      return [response.status, await response.text()]
    }
    const database = new URL(place.databaseUrl ?? '').pathname.slice(1)
    for (const [close, open] of [
      // open sessions become read-only at once, and writable again
      [
        'alter system set default_transaction_read_only = on',
        'alter system reset default_transaction_read_only',
      ],
      // a session keeps the setting that its database had when it began
      [
        `alter database ${database} set default_transaction_read_only = on`,
        `alter database ${database} reset default_transaction_read_only`,
      ],
    ] as const) {
      await runOn(server.url('postgres'), close)
      await runOn(
        server.url('postgres'),
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
      )
      const [, reason] = await until('it is not ready', async () => {
        const answer = await readyz()
        return answer[0] === 503 && answer[1].includes('read-only') ? answer : undefined
      })
      expect(reason).toContain('the database is read-only')
      const response = await fetch(`${service.url}/v1/outcomes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          type: 'email.delivered',
          data: { email_id: 'em_1', to: ['a@example.org'] },
        }),
      })
      expect(response.status).toBe(503)
      await runOn(server.url('postgres'), open)
      await until('it is ready again', async () => (await readyz())[0] === 200)
      await customer.report(10)
    }
    await receiver.waitForEvents(20)
    seen('read-only through a server or database setting: 503 with the reason, then 20 events delivered')
  },
)

async function newestPostgres(): Promise<PostgresServer> {
  const [installed] = findPostgres().toReversed()
  if (installed === undefined) throw new Error('no PostgreSQL on this machine: npm ci brings one')
  return await startPostgres(installed)
}

/** Runs a statement as superuser and makes the server reload its settings. */
async function runOn(url: string, statement: string): Promise<void> {
  await using db = await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost: () => {} })
  await db.query(statement)
  await db.query('select pg_reload_conf()')
}
