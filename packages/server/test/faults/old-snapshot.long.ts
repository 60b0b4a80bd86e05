import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { lasting } from './haste.ts'
import { startTraffic } from './traffic.ts'

/** How often the time from report to arrival is measured. */
const probeEveryMs = 500

fault(
  'F68',
  'while a snapshot stays open for ten minutes, 95 % of events still arrive within a second',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using db = await openDatabase({
      url: place.databaseUrl,
      dataDir: '',
      connectionsMax: 2,
      onLost: () => {},
    })
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    // one process accepts, so the other must find and claim the deliveries
    await using api = await startService(installation, { POSTHORN_ROLE: 'api' })
    await using _dispatcher = await startService(installation, { POSTHORN_ROLE: 'dispatcher' })
    const busy = await newCustomer(api.url, api.operator)
    await busy.newWebhook({ url: receiver.url('/busy') })
    const quiet = await newCustomer(api.url, api.operator)
    await quiet.newWebhook({ url: receiver.url('/quiet') })
    const probe = async (): Promise<number> => {
      const sentAtMs = performance.now()
      const [id] = await quiet.report(1)
      await until('the event arrives', () => receiver.received.findLast(one => one.eventId === id))
      return performance.now() - sentAtMs
    }
    await probe()

    const latencies: number[] = []
    await db.transaction(async old => {
      await old.query('set transaction isolation level repeatable read')
      await old.query('select from queue limit 1')
      const traffic = startTraffic({
        url: () => api.url,
        apiKey: busy.apiKey,
        reporters: 2,
        batch: 10,
        pauseMs: 50,
      })
      const endsAtMs = performance.now() + lasting(600)
      while (performance.now() < endsAtMs) {
        latencies.push(await probe())
        await old.query('select 1')
        await wait(probeEveryMs)
      }
      await traffic.stop()
      const [queue] = await old.query<{ dead: number }>(
        `select n_dead_tup::int as dead from pg_stat_user_tables where relname = 'queue'`,
      )
      await receiver.waitForEvents(traffic.accepted.length + latencies.length + 1)
      seen(`${traffic.accepted.length} deliveries claimed, ${queue?.dead} dead rows kept`)
    })
    const last = latencies.slice(-Math.ceil(latencies.length / 5)).toSorted((a, b) => a - b)
    const medianMs = last[Math.floor(last.length / 2)] ?? 0
    const p95Ms = last[Math.floor(last.length * 0.95)] ?? 0
    seen(
      `from report to arrival in the last fifth: median ${medianMs.toFixed()} ms, p95 ${p95Ms.toFixed()} ms`,
    )
    expect(p95Ms).toBeLessThan(1_000)
  },
  900_000,
)
