import { expect, test } from 'vitest'
import { fault } from '../faults/fault.ts'
import { startDatabaseProxy } from '../faults/database-proxy.ts'
import { reconcile } from '../faults/reconcile.ts'
import { startTraffic } from '../faults/traffic.ts'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { posthorn } from '../cli/posthorn-process.ts'
import { killAt, killPoints } from './kill-points.ts'
import { type MovedPair, startMovedPair } from './moved-pair.ts'

fault(
  'G14',
  'killed before each step, a shard’s move is finished by a repeat, with an exact ledger',
  async seen => {
    for (const point of killPoints) {
      await inTraffic(
        async moved => {
          await killAt(moved, point)
          expect(await moved.writable(), point.before).toBe(point.writable)
          expect(await moved.move('--json')).toMatchObject({ code: 0, stderr: '' })
        },
        figures => seen(`before ${point.before}: ${figures}`),
      )
    }
  },
)

fault('G14', 'killed before each step, a shard’s move is undone, and can be repeated later', async seen => {
  for (const point of killPoints) {
    await inTraffic(
      async (moved, waitForMore) => {
        await killAt(moved, point)
        const cancelled = await moved.move('--cancel', '--json')
        if (point.isFenced) expect(cancelled).toMatchObject({ code: 0, stderr: '' })
        else expect(cancelled.stderr).toContain('no move of this shard is under way')
        expect(await moved.isReadOnly(moved.pair.primary)).toBe(false)
        await waitForMore()
        expect(await moved.move('--json')).toMatchObject({ code: 0, stderr: '' })
      },
      figures => seen(`undone before ${point.before}: ${figures}`),
    )
  }
})

fault('G14', 'if the answer of the promotion is lost, a repeat says that the shard has moved', async seen => {
  await inTraffic(async moved => {
    const [primary, standby] = [moved.pair.primary, moved.pair.standby].map(one => one.url('posthorn'))
    await using proxy = await startDatabaseProxy(standby ?? '')
    const url = proxy.url(standby ?? '')
    const isCut = proxy.cutReplyAfter(request => request.includes('pg_promote'))
    const args = ['shards', 'move', '0', '--to', new URL(url).host]
    const ended = posthorn(args, { env: moved.environment([primary ?? '', url]) })
    await isCut
    expect((await ended).code).toBe(1)
    expect((await moved.move('--cancel')).code).toBe(1)
    await until('it is promoted', async () => (await moved.writable()) === 1)
    expect((await moved.move()).stdout).toContain('already')
  }, seen)
})

test('if the standby receives nothing more, the old server accepts writes again', {
  timeout: 180_000,
}, async () => {
  await using moved = await startMovedPair()
  await moved.pair.stallReplication()
  const { code, stderr } = await moved.move()
  expect(code).toBe(1)
  expect(stderr).toContain('accepts writes again')
  expect(await moved.isReadOnly(moved.pair.primary)).toBe(false)
  expect(await moved.writable()).toBe(1)
})

/** Runs `work` during traffic, and expects the shard on the new server with an exact ledger. */
async function inTraffic(
  work: (moved: MovedPair, waitForMore: () => Promise<void>) => Promise<void>,
  seen: (figures: string) => void,
): Promise<void> {
  await using moved = await startMovedPair()
  await using receiver = await startReceiver()
  await using service = await startService(newInstallation(moved.pair.place))
  const customer = await newCustomer(service.url, service.operator)
  await customer.newWebhook({ url: receiver.url() })
  const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, pauseMs: 50 })
  const waitForMore = async (): Promise<void> => {
    const before = traffic.accepted.length
    await until('more is accepted', () => traffic.accepted.length > before + 100)
  }
  await waitForMore()
  await work(moved, waitForMore)
  await waitForMore()
  await traffic.stop()
  expect([await moved.isReadOnly(moved.pair.standby), await moved.writable()]).toEqual([false, 1])
  const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
  seen(`${events} events, ${duplicates} duplicates`)
}
