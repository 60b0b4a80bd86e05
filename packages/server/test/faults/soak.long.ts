import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { median } from '../../../../bench/support/median.ts'
import { type Customer, expectStatus, newCustomer, type Page } from '../support/api.ts'
import { type Respond, startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { arrivalsOf } from './arrivals.ts'
import { fault } from './fault.ts'
import { quarter, sampleProcess } from './process-samples.ts'
import { startTraffic } from './traffic.ts'

/** Shorter for working on the test. The figures of a minute show nothing about memory. */
const minutes = Number(process.env['POSTHORN_SOAK_MINUTES'] ?? 60)

/**
 * About 150 events per second: four receivers that answer, one that fails each first attempt, and one whose first attempts
 * hang.
 */
const loads = [
  ...['/a', '/b', '/c', '/d', '/failing'].map(path => ({ path, reporters: 1, batch: 6, pauseMs: 190 })),
  { path: '/hanging', reporters: 1, batch: 1, pauseMs: 3_000 },
]

const answer: Respond = ({ path, attempt }) => {
  if (attempt > 1) return 204
  if (path === '/hanging') return undefined
  return path === '/failing' ? 500 : 204
}

fault(
  'G6',
  'after an hour of load, memory, descriptors, event-loop delay and backlog are stable, and every event has arrived',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver(answer)
    const delays = join(place.dataDir, 'event-loop-delays')
    const watch = `${new URL('event-loop-watch.preload.ts', import.meta.url).href}?${pathToFileURL(delays).href}`
    await using service = await startService(newInstallation(place), {
      NODE_OPTIONS: `--import=${watch}`,
      POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '2',
      POSTHORN_RETRY_BASE_SECONDS: '2',
    })
    const under = await Promise.all(
      loads.map(async load => {
        const customer = await newCustomer(service.url, service.operator)
        await customer.newWebhook({ url: receiver.url(load.path) })
        const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, ...load })
        return { ...load, customer, traffic }
      }),
    )
    const arrivals = arrivalsOf(receiver)
    const samples = await sampleProcess(service, minutes, () => arrivals.take())
    await Promise.all(under.map(async ({ traffic }) => await traffic.stop()))

    let events = 0
    for (const { path, customer, traffic } of under) {
      const stored = await storedIds(customer)
      const hasAllArrived = (): boolean => {
        arrivals.take()
        return arrivals.at(path).size >= stored.size
      }
      await until(`all ${stored.size} have arrived at ${path}`, hasAllArrived, 120_000)
      expect(
        traffic.accepted.filter(id => !stored.has(id)),
        'accepted, and not stored',
      ).toEqual([])
      expect(
        [...arrivals.at(path)].filter(id => !stored.has(id)),
        'arrived, and not stored',
      ).toEqual([])
      // 0 is a connection that closed while the request was sent
      expect([...traffic.answers.keys()].filter(status => status !== 0)).toEqual([202])
      events += stored.size
    }
    const [early, late] = [quarter(samples, 2), quarter(samples, 4)]
    const memory = (of: typeof samples): number => median(of.map(one => one.rssMiB))
    const descriptors = (of: typeof samples): number => Math.max(...of.map(one => one.descriptors))
    const backlog = (of: typeof samples): number => median(of.map(one => one.backlog))
    const delaysMs = readFileSync(delays, 'utf8').trim().split('\n').map(Number)
    const [earlyDelay, lateDelay] = [quarter(delaysMs, 2), quarter(delaysMs, 4)].map(median)
    seen(`${minutes} min, ${events} events, ${(events / minutes / 60).toFixed(0)} per second`)
    seen(`second and last quarter: ${memory(early).toFixed(0)} and ${memory(late).toFixed(0)} MiB`)
    seen(`${descriptors(early)} and ${descriptors(late)} descriptors`)
    seen(`${earlyDelay} and ${lateDelay} ms of event-loop delay (99th percentile)`)
    seen(`${backlog(early)} and ${backlog(late)} pending deliveries`)
    expect(memory(late)).toBeLessThan(1.15 * memory(early))
    expect(descriptors(late)).toBeLessThanOrEqual(descriptors(early) + 10)
    expect(backlog(late)).toBeLessThan(1_000)
    expect(lateDelay).toBeLessThan(100)
  },
  (minutes + 15) * 60_000,
)

async function storedIds(customer: Customer): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const path: string = `/v1/events?limit=250${cursor && `&cursor=${cursor}`}`
    const page: Page<{ id: string }> = expectStatus(200, await customer.api.get<Page<{ id: string }>>(path))
    for (const { id } of page.data) ids.add(id)
    cursor = page.next_cursor
  }
  return ids
}
