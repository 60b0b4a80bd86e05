import { expect } from 'vitest'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { newHarmedDatabase } from './harmed-database.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

fault(
  'G5',
  'a primary that goes silent without closing connections is abandoned for another host',
  async seen => {
    await using database = await newHarmedDatabase()
    await using receiver = await startReceiver()
    // two paths to one server: one path becomes silent, as if a machine lost power
    const { host: silent } = new URL(database.harmed.place.databaseUrl ?? '')
    const { host: other } = new URL(database.databaseUrl)
    const databaseUrl = database.databaseUrl.replace(other, `${silent},${other}`)
    const installation = { ...database.harmed, place: { ...database.harmed.place, databaseUrl } }
    await using service = await startService(installation, { POSTHORN_RETRY_BASE_SECONDS: '1' })
    const customer = await newCustomer(service.url, service.operator)
    await customer.newWebhook({ url: receiver.url() })
    const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, pauseMs: 100 })
    await receiver.waitForEvents(200)

    database.proxy.stall()
    const stalledAtMs = performance.now()
    const before = traffic.accepted.length
    await until('reports are accepted again', () => traffic.accepted.length > before + 100, 200_000)
    const awayMs = performance.now() - stalledAtMs
    await receiver.waitForEvents(receiver.counts().size + 200)
    await traffic.stop()
    const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    expect([...traffic.answers.keys()].filter(status => ![0, 202, 503].includes(status))).toEqual([])
    seen(`${events} events, no report accepted for ${Math.round(awayMs / 1_000)} s, ${duplicates} duplicates`)
  },
)
