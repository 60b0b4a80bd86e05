import { expect } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { customerAt, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

const settings = { POSTHORN_RETRY_BASE_SECONDS: '1' }

fault(
  'F3',
  'SIGTERM under load: the process exits with 0, leaves no delivery claimed, and sends nothing twice',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    // slow enough that attempts are always in flight
    await using receiver = await startReceiver((_, response) => {
      setTimeout(() => response.writeHead(204).end(), 100)
      return undefined
    })
    await using db = await openDatabase({
      url: place.databaseUrl,
      dataDir: '',
      connectionsMax: 1,
      onLost: () => {},
    })
    const installation = newInstallation(place)
    let service = await startService(installation, settings)
    const customer = await newCustomer(service.url, service.operator)
    await customer.newWebhook({ url: receiver.url() })
    const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, pauseMs: 50 })
    const stops = 3
    for (let stopped = 0; stopped < stops; stopped++) {
      await receiver.waitForEvents(receiver.counts().size + 200)
      expect(await service.stop()).toBe(0)
      expect(await db.query('select delivery_id from queue where process is not null')).toEqual([])
      service = await startService(installation, settings)
    }
    await using last = service
    await traffic.stop()
    const after = customerAt(last.url, customer.accountId, customer.apiKey)
    const { events, duplicates } = await reconcile(after, receiver, { accepted: traffic.accepted })
    expect(duplicates).toBe(0)
    seen(`${stops} stops, ${events} events, 0 duplicates`)
  },
)

fault(
  'F6',
  'while one event loop is blocked for five seconds, another process delivers, and everything arrives',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    const short = { ...settings, POSTHORN_LEASE_SECONDS: '3', POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '1.5' }
    const stall = new URL('stall.preload.ts', import.meta.url).href
    await using stalled = await startService(installation, { ...short, NODE_OPTIONS: `--import=${stall}` })
    await using _other = await startService(installation, short)
    const customer = await newCustomer(stalled.url, stalled.operator)
    await customer.newWebhook({ url: receiver.url() })
    const traffic = startTraffic({ url: () => stalled.url, apiKey: customer.apiKey, pauseMs: 20 })
    const times = 3
    for (let stood = 0; stood < times; stood++) {
      await receiver.waitForEvents(receiver.counts().size + 200)
      stalled.signal('SIGUSR2')
      // it accepts reports again only when its event loop runs again
      const accepted = traffic.accepted.length
      await receiver.waitForEvents(accepted + 100)
    }
    await traffic.stop()
    const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    // after a stall, the next report of a caller may get 503, and the caller repeats it
    const refused = traffic.answers.get(503) ?? 0
    expect([...traffic.answers.keys()].filter(status => status !== 503)).toEqual([202])
    seen(
      `${times} stalls, ${events} events, ${duplicates} duplicates, ${refused} reports got 503 and were repeated`,
    )
  },
)

fault(
  'F7',
  'processes are replaced one by one under load: every report gets 202, and nothing is sent twice',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    const running: ServiceProcess[] = [
      await startService(installation, settings),
      await startService(installation, settings),
      await startService(installation, settings),
    ]
    const [first] = running
    if (first === undefined) throw new Error('nothing runs')
    const customer = await newCustomer(first.url, first.operator)
    await customer.newWebhook({ url: receiver.url() })
    let turn = 0
    const traffic = startTraffic({
      url: () => running[turn++ % running.length]?.url ?? '',
      apiKey: customer.apiKey,
      pauseMs: 20,
    })
    for (let replaced = 0; replaced < 3; replaced++) {
      await receiver.waitForEvents(receiver.counts().size + 200)
      running.push(await startService(installation, settings))
      // as behind a load balancer: first it gets no more requests, then it stops
      const old = running.shift()
      expect(await old?.stop()).toBe(0)
    }
    await receiver.waitForEvents(receiver.counts().size + 200)
    await traffic.stop()
    const last = customerAt(running[0]?.url ?? '', customer.accountId, customer.apiKey)
    const { events, duplicates } = await reconcile(last, receiver, { accepted: traffic.accepted })
    await Promise.all(running.map(async service => await service.kill()))
    expect([...traffic.answers.keys()]).toEqual([202])
    expect(duplicates).toBe(0)
    seen(`3 processes replaced, ${events} events, 0 duplicates, every report got 202`)
  },
)
