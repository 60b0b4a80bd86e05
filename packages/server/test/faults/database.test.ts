import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { allEvents, newCustomer } from '../support/api.ts'
import { findPostgres, startPostgres } from '../support/postgres-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace } from '../support/test-database.ts'
import { commitsReport } from './commits-report.ts'
import { fault } from './fault.ts'
import { newHarmedDatabase } from './harmed-database.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'
import { runsStatement } from './runs-statement.ts'

const settings = {
  POSTHORN_LEASE_SECONDS: '3',
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '1.5',
  POSTHORN_RETRY_BASE_SECONDS: '1',
}

fault('F9', 'events accepted with 202 arrive even if PostgreSQL restarts under load', async seen => {
  const [installed] = findPostgres().toReversed()
  if (installed === undefined) throw new Error('no PostgreSQL on this machine: npm ci brings one')
  await using server = await startPostgres(installed)
  await using place = await newDatabasePlace({ name: 'its own', serverUrl: server.url('postgres') })
  await using receiver = await startReceiver()
  await using service = await startService(newInstallation(place), settings)
  const customer = await newCustomer(service.url, service.operator)
  await customer.newWebhook({ url: receiver.url() })

  const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, pauseMs: 50 })
  for (const mode of ['fast', 'immediate'] as const) {
    await receiver.waitForEvents(receiver.counts().size + 100)
    server.stop(mode)
    server.start()
  }
  await receiver.waitForEvents(receiver.counts().size + 100)
  await traffic.stop()

  const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
  expect([...traffic.answers.keys()].filter(status => ![0, 202, 503].includes(status))).toEqual([])
  seen(`one clean restart and one crash, ${events} events, ${duplicates} duplicates`)
})

fault(
  'F13',
  'an outcome that was committed but not confirmed is stored once when it is reported again',
  async seen => {
    await using database = await newHarmedDatabase()
    await using receiver = await startReceiver()
    await using service = await startService(database.harmed, settings)
    const customer = await newCustomer(service.url, service.operator)
    await customer.newWebhook({ url: receiver.url() })
    const report = async (outcome: object, headers: Record<string, string> = {}): Promise<Response> =>
      await fetch(`${service.url}/v1/outcomes`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${customer.apiKey}`,
          'content-type': 'application/json',
          ...headers,
        },
        body: JSON.stringify({
          type: 'email.delivered',
          data: { email_id: 'em_1', to: ['reader@example.org'] },
          ...outcome,
        }),
      })

    const named = { outcome_id: randomUUID() }
    const isStored = database.proxy.cutReplyAfter(runsStatement('accept'))
    expect((await report(named)).status).toBe(503)
    await isStored
    const [first] = await allEvents(customer.api)
    const again = await report(named)
    expect([again.status, await again.json()]).toEqual([
      202,
      { accepted: 0, events: [], ignored: [{ index: 0, reason: 'duplicate', event_id: first?.id }] },
    ])

    const key = { 'idempotency-key': randomUUID() }
    const isCommitted = database.proxy.cutReplyAfter(commitsReport())
    expect((await report({}, key)).status).toBe(503)
    await isCommitted
    const repeated = await report({}, key)
    const [second] = await allEvents(customer.api)
    expect([repeated.status, repeated.headers.get('idempotency-replayed'), await repeated.json()]).toEqual([
      202,
      'true',
      { accepted: 1, events: [second?.id], ignored: [] },
    ])

    const accepted = [first?.id ?? '', second?.id ?? '']
    const { events, duplicates } = await reconcile(customer, receiver, { accepted })
    expect({ events, duplicates }).toEqual({ events: 2, duplicates: 0 })
    seen('repeated by outcome_id and by Idempotency-Key, each stored and delivered once')
  },
)
