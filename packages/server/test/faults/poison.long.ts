import { once } from 'node:events'
import { expect } from 'vitest'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, spawnService, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'

/** The position of the poison delivery among the thousand. */
const poison = 500

fault(
  'F67',
  'one poison delivery among a thousand is exhausted, and the other 999 arrive',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    const settings = {
      POSTHORN_LEASE_SECONDS: '5',
      POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '3',
      // long in comparison with the five seconds between two checks of the queue
      POSTHORN_RETRY_BASE_SECONDS: '30',
      POSTHORN_RETRY_CAP_SECONDS: '60',
    }
    await using api = await startService(installation, { ...settings, POSTHORN_ROLE: 'api' })
    const customer = await newCustomer(api.url, api.operator)
    const webhook = await customer.newWebhook({ url: receiver.url() })
    await customer.report(1_000)

    let deaths = 0
    let current = spawnDispatcher()
    let isOver = false
    const supervised = (async () => {
      while (!isOver) {
        await once(current, 'exit')
        if (isOver) break
        deaths++
        current = spawnDispatcher()
      }
    })()
    const [given] = await until(
      'the poison delivery is given up',
      async () => {
        const exhausted = await customer.deliveries(webhook.id, '&state=exhausted')
        return exhausted.length > 0 && exhausted
      },
      700_000,
    )
    await receiver.waitForEvents(999)
    const delivered = await until('the others are settled', async () => {
      const all = await customer.deliveries(webhook.id, '&state=delivered')
      return all.length === 999 && all
    })
    isOver = true
    current.kill('SIGKILL')
    await supervised

    expect(given).toMatchObject({ sequence: poison, state: 'exhausted', reason: 'process_lost' })
    expect(delivered.map(one => one.sequence)).not.toContain(poison)
    expect(receiver.received.map(one => one.sequence)).not.toContain(poison)
    expect(deaths).toBe(8)
    const duplicates = receiver.received.length - receiver.counts().size
    seen(`${deaths} processes died, ${duplicates} duplicates of other deliveries`)

    function spawnDispatcher() {
      const preload = new URL('poison.preload.ts', import.meta.url).href
      const child = spawnService(installation, {
        ...settings,
        POSTHORN_ROLE: 'dispatcher',
        NODE_OPTIONS: `--import=${preload}`,
        POISON_SEQUENCE: String(poison),
      })
      child.stdout?.resume()
      child.stderr?.resume()
      return child
    }
  },
  900_000,
)
