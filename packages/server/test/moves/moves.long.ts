import { expect } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { fault } from '../faults/fault.ts'
import { reconcile } from '../faults/reconcile.ts'
import { startServices } from './services.ts'
import { startTwoShards } from './two-shards.ts'

fault(
  'G13',
  'an account moves three times under traffic; each event is sent once, and sequences have no gap',
  async seen => {
    await using shards = await startTwoShards()
    await using services = await startServices(shards)
    await using receiver = await startReceiver()
    const customer = await services.newCustomer()
    await customer.newWebhook({ url: receiver.url() })
    const neighbour = await services.newCustomer()
    await neighbour.newWebhook({ url: receiver.url('/neighbour') })
    const traffic = services.startTraffic(customer)
    const besides = services.startTraffic(neighbour)
    await receiver.waitForEvents(2_000)

    const stoodStill: number[] = []
    for (const to of ['1', '0', '1']) {
      const before = receiver.counts().size
      const { code, stdout, stderr } = await shards.run([
        'accounts',
        'move',
        customer.accountId,
        '--to',
        to,
        '--json',
      ])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      stoodStill.push((JSON.parse(stdout) as { stood_still_ms: number }).stood_still_ms)
      await receiver.waitForEvents(before + 2_000)
    }
    await traffic.stop()
    await besides.stop()

    const { events, duplicates } = await reconcile(customer, onlyPath('/hook'), {
      accepted: traffic.accepted,
    })
    expect(duplicates).toBe(0)
    const other = await reconcile(neighbour, onlyPath('/neighbour'), {
      accepted: besides.accepted,
      paths: ['/neighbour'],
    })
    expect(other.duplicates).toBe(0)
    expect([...besides.answers.keys()]).toEqual([202])
    seen(`3 moves, ${events} events, 0 duplicates; it stood still for ${stoodStill.join(', ')} ms`)
    seen(`its neighbour on the same shard: ${other.events} events, no refusal`)

    function onlyPath(path: string): typeof receiver {
      return { ...receiver, received: receiver.received.filter(received => received.path === path) }
    }
  },
)
