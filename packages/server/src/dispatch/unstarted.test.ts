import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import { AccountLoad } from './account-load.ts'
import { Lane, type Share } from './lane.ts'
import { Unstarted } from './unstarted.ts'

const shares: Share[] = ['proven', 'unproven', 'failing']

/** Of five endpoints of two accounts: something comes, something goes, an attempt ends. */
const steps = fc.array(
  fc.record({
    lane: fc.nat(4),
    what: fc.constantFrom('comes', 'goes', 'success' as const, 'failure' as const),
  }),
  { maxLength: 200 },
)

test('what is counted is what lies in the queues, whatever comes and goes and however endpoints fare', () => {
  fc.assert(
    fc.property(steps, taken => {
      const accounts = [new AccountLoad('a'), new AccountLoad('b')]
      const lanes = Array.from(
        { length: 5 },
        (_, n) => new Lane(accounts[n % 2] as AccountLoad, `endpoint ${n}`, 0),
      )
      const unstarted = new Unstarted()
      for (const { lane: n, what } of taken) {
        const lane = lanes[n] as Lane
        const { share } = lane
        if (what === 'comes') {
          lane.queue.push({} as TakenDelivery)
          unstarted.changed(lane, 1)
        } else if (what === 'goes') {
          if (lane.queue.shift() !== undefined) unstarted.changed(lane, -1)
        } else {
          lane.finished(what, 1, 0)
          unstarted.moved(lane, share)
        }
      }
      const sum = (which: (lane: Lane) => boolean): number =>
        lanes.filter(which).reduce((all, { queue }) => all + queue.length, 0)
      expect(unstarted.total).toBe(sum(() => true))
      for (const share of shares) expect(unstarted.byShare[share]).toBe(sum(lane => lane.share === share))
      for (const account of accounts) {
        const isOf = (lane: Lane): boolean => lane.account === account
        expect(account.unstarted).toBe(sum(isOf))
        expect(account.unstartedUnproven).toBe(sum(lane => isOf(lane) && lane.share !== 'proven'))
      }
      expect(unstarted.accounts).toBe(accounts.filter(({ unstarted }) => unstarted > 0).length)
      expect(new Set(unstarted.lanes)).toEqual(new Set(lanes.filter(({ queue }) => queue.length > 0)))
    }),
  )
})
