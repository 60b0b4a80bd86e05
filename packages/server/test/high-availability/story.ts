import { expect } from 'vitest'
import { type Customer, customerAt, newCustomer } from '../support/api.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { reconcile } from '../faults/reconcile.ts'
import { startTraffic, type Traffic } from '../faults/traffic.ts'
import { type Cluster, startCluster } from './cluster.ts'

/** A cluster under traffic. One Posthorn reaches it through HAProxy, another with all hosts in its URL. */
export interface Story extends AsyncDisposable {
  cluster: Cluster
  customer: Customer
  receiver: Receiver
  throughHaproxy: Route
  listed: Route
  /** Waits until `count` more events have arrived. */
  waitForMore(count: number): Promise<void>
  /** Stops the traffic and compares what was accepted, stored and received. Each duplicate must be from a time of `troubles`. */
  finish(troubles: readonly Trouble[], routes?: readonly Route[]): Promise<string>
}

export interface Route {
  service: ServiceProcess
  traffic: Traffic
  /** Waits until a report is accepted after `since`, and says how many milliseconds after. */
  acceptedAgain(since: number): Promise<number>
}

/** From the fault until reports were accepted again, as `Date.now()`. */
export interface Trouble {
  fromMs: number
  toMs: number
}

/** An attempt of this long ago may have a result that is not stored yet. */
const unsettledMsMax = 5_000

export async function startStory(settings: Record<string, string> = {}): Promise<Story> {
  await using opened = new AsyncDisposableStack()
  const cluster = opened.use(await startCluster())
  const receiver = opened.use(await startReceiver())
  const installation = newInstallation(cluster.throughHaproxy)
  const first = opened.use(await startService(installation, settings))
  const second = opened.use(await startService({ ...installation, place: cluster.listed }, settings))
  const customer = await newCustomer(first.url, first.operator)
  await customer.newWebhook({ url: receiver.url() })
  const start = (service: ServiceProcess): Route => {
    const traffic = startTraffic({
      url: () => service.url,
      apiKey: customer.apiKey,
      reporters: 2,
      pauseMs: 50,
    })
    return {
      service,
      traffic,
      acceptedAgain: async since => {
        const before = traffic.accepted.length
        await until('reports are accepted again', () => traffic.accepted.length > before)
        return Math.round(performance.now() - since)
      },
    }
  }
  const throughHaproxy = start(first)
  const listed = start(second)
  await receiver.waitForEvents(500)
  const all = opened.move()
  return {
    cluster,
    customer,
    receiver,
    throughHaproxy,
    listed,
    waitForMore: async count => await receiver.waitForEvents(receiver.counts().size + count),
    finish: async (troubles, routes = [throughHaproxy, listed]) => {
      await Promise.all(routes.map(async ({ traffic }) => await traffic.stop()))
      const accepted = routes.flatMap(({ traffic }) => traffic.accepted)
      const after = customerAt(first.url, customer.accountId, customer.apiKey)
      const { events, duplicates } = await reconcile(after, receiver, { accepted })
      expect(new Set(accepted).size).toBe(events)
      await cluster.waitUntilAllStore(events)
      for (const { traffic } of routes) {
        expect([...traffic.answers.keys()].filter(status => ![0, 202, 503].includes(status))).toEqual([])
      }
      expect(unexplained(receiver, troubles)).toEqual([])
      return `${events} accepted = stored on each machine = arrived, ${duplicates} duplicates`
    },
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

/** Events that arrived twice although no fault could have lost the result of the first attempt. */
function unexplained({ received }: Receiver, troubles: readonly Trouble[]): string[] {
  const firstAtMs = new Map<string, number>()
  const found: string[] = []
  for (const { eventId, atMs } of received) {
    const first = firstAtMs.get(eventId)
    firstAtMs.set(eventId, first ?? atMs)
    if (first === undefined) continue
    if (troubles.some(({ fromMs, toMs }) => first >= fromMs - unsettledMsMax && first <= toMs)) continue
    found.push(`${eventId}, first at ${new Date(first).toISOString()}`)
  }
  return found
}

export function inSeconds(ms = 0): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
