import { setTimeout as wait } from 'node:timers/promises'
import type { Delivery } from '@posthorn/contract'
import { expect } from 'vitest'
import { customerAt, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

const leaseSeconds = 3
const settings = {
  POSTHORN_LEASE_SECONDS: String(leaseSeconds),
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '1.5',
  POSTHORN_RETRY_BASE_SECONDS: '1',
}

fault(
  'F1',
  'every report that got 202 is delivered although the process is killed under load',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    const installation = newInstallation(place)
    let service = await startService(installation, settings)
    const customer = await newCustomer(service.url, service.operator)
    await customer.newWebhook({ url: receiver.url() })

    const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, pauseMs: 20 })
    const kills = 2
    for (let killed = 0; killed < kills; killed++) {
      await receiver.waitForEvents(receiver.counts().size + 100)
      await service.kill()
      service = await startService(installation, settings)
    }
    await using last = service
    await receiver.waitForEvents(receiver.counts().size + 100)
    await traffic.stop()

    const after = customerAt(last.url, customer.accountId, customer.apiKey)
    const { events, duplicates } = await reconcile(after, receiver, { accepted: traffic.accepted })
    expect(traffic.answers.get(0)).toBeGreaterThan(0)
    seen(`${kills} kills under load, ${events} events, ${duplicates} duplicates`)
  },
)

fault(
  'F4',
  'a process that was stopped for two leases does not overwrite the results of another process',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    const heldUp = new Set<string>()
    await using receiver = await startReceiver(({ path }) => {
      if (heldUp.has(path)) return path === '/failed' ? 500 : 204
      heldUp.add(path)
      return undefined
    })
    const installation = newInstallation(place)
    const waiting = { ...settings, POSTHORN_RETRY_BASE_SECONDS: '3600' }
    await using late = await startService(installation, waiting)
    await using heir = await startService(installation, waiting)
    const customer = await newCustomer(late.url, late.operator)
    const delivered = await customer.newWebhook({ url: receiver.url('/delivered') })
    const failed = await customer.newWebhook({ url: receiver.url('/failed') })
    const there = customerAt(heir.url, customer.accountId, customer.apiKey)
    const attempted = async (times: number): Promise<Array<Delivery | undefined>> =>
      await until(`both were attempted ${times} times and written down`, async () => {
        const all = await Promise.all([there.deliveries(delivered.id), there.deliveries(failed.id)])
        return all.flat().every(one => one.attempt_count === times) && all.flat()
      })

    await customer.report(1)
    await until('both attempts are under way', () => receiver.received.length === 2)
    late.signal('SIGSTOP')
    const byHeir = await attempted(1)
    await wait(2 * leaseSeconds * 1_000)
    late.signal('SIGCONT')
    const afterwards = await attempted(2)

    const facts = (all: typeof byHeir): unknown[] => all.map(one => [one?.state, one?.next_attempt_at])
    expect(facts(byHeir)).toEqual([
      ['delivered', null],
      ['failed', expect.any(String)],
    ])
    expect(facts(afterwards)).toEqual(facts(byHeir))
    expect(receiver.received).toHaveLength(4)
    seen('late results of a completed delivery and of a failed one before its retry')
  },
)
