import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../faults/reconcile.ts'
import type { Customer } from '../support/api.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { killAt, killPoints } from './kill-points.ts'
import { type Services, startServices } from './services.ts'
import { startTwoShards, type TwoShards } from './two-shards.ts'

describe('a move that is killed', () => {
  let shards: TwoShards
  let services: Services
  beforeAll(async () => {
    shards = await startTwoShards()
    services = await startServices(shards)
  })
  afterAll(async () => {
    await services[Symbol.asyncDispose]()
    await shards[Symbol.asyncDispose]()
  })

  test.each(killPoints)('before $before, is finished by a repeat', { timeout: 120_000 }, async point => {
    await inTraffic(async customer => {
      const move = ['accounts', 'move', customer.accountId, '--to', '1', '--json']
      await killAt(shards, move, point)
      expect((await shards.ownersOf(customer.accountId)).length).toBeLessThan(2)
      expect(await shards.run(move)).toMatchObject({ code: 0, stderr: '' })
      expect(await shards.ownersOf(customer.accountId)).toEqual([1])
    })
  })

  test.each(killPoints.filter(one => one.isUndoable))(
    'before $before, is undone by --cancel, and can be repeated later',
    { timeout: 120_000 },
    async point => {
      await inTraffic(async (customer, waitForMore) => {
        const move = ['accounts', 'move', customer.accountId, '--to', '1', '--json']
        await killAt(shards, move, point)
        const cancelled = await shards.run(['accounts', 'move', customer.accountId, '--cancel', '--json'])
        if (point.before === 'the move is stored')
          expect(cancelled.stderr).toContain('no move of this account')
        else expect(cancelled).toMatchObject({ code: 0, stderr: '' })
        expect(await shards.ownersOf(customer.accountId)).toEqual([0])
        await waitForMore()
        expect(await shards.run(move)).toMatchObject({ code: 0, stderr: '' })
      })
    },
  )

  test.each(killPoints.filter(one => !one.isUndoable))(
    'before $before, cannot be undone',
    { timeout: 120_000 },
    async point => {
      await inTraffic(async customer => {
        const move = ['accounts', 'move', customer.accountId, '--to', '1', '--json']
        await killAt(shards, move, point)
        const cancelled = await shards.run(['accounts', 'move', customer.accountId, '--cancel', '--json'])
        expect(cancelled).toMatchObject({ code: 1 })
        expect(cancelled.stderr).toContain('the other shard has the account already')
        expect(await shards.run(move)).toMatchObject({ code: 0, stderr: '' })
      })
    },
  )

  /** Runs `work` during traffic and expects an exact ledger. */
  async function inTraffic(
    work: (customer: Customer, waitForMore: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    await using receiver: Receiver = await startReceiver()
    const customer = await services.newCustomer()
    await customer.newWebhook({ url: receiver.url() })
    const traffic = services.startTraffic(customer)
    const waitForMore = async (): Promise<void> => {
      const before = traffic.accepted.length
      await until('more is accepted', () => traffic.accepted.length > before + 20)
    }
    await waitForMore()
    await work(customer, waitForMore)
    await waitForMore()
    await traffic.stop()
    const { duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    expect(duplicates).toBe(0)
    expect(await shards.replication()).toEqual([])
  }
})
