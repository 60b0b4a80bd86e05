import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Groupable,
  groupBytesMax,
  groupDeliveriesMax,
  groupEventsMax,
  type GroupRules,
  nextGroup,
} from './next-group.ts'

const request = fc.record({
  accountId: fc.constantFrom('a', 'b', 'c', 'd'),
  events: fc.integer({ min: 1, max: groupEventsMax }).map(length => ({ length }) as unknown[]),
  bytes: fc.integer({ min: 1, max: groupBytesMax + 1 }),
  alone: fc.constantFrom(true, false, false, false),
})
const requests = fc.array(request, { minLength: 1, maxLength: 40 })
const excludeds = fc.subarray(['a', 'b', 'c', 'd']).map(accountIds => new Set(accountIds))
const fanOuts = fc.record({ a: fanOut(), b: fanOut(), c: fanOut(), d: fanOut() })

function fanOut(): fc.Arbitrary<number> {
  return fc.double({ min: 1, max: 20, noNaN: true })
}

const ordinary: GroupRules = { accountOrder: [], excluded: new Set(), fanOut: () => 1 }

const sum = (all: readonly Groupable[], what: (one: Groupable) => number): number =>
  all.reduce((total, one) => total + what(one), 0)
const accountsOf = (all: readonly Groupable[]): Set<string> => new Set(all.map(one => one.accountId))

test('a group respects its limits, takes each account’s oldest requests, and loses or duplicates none', () => {
  fc.assert(
    fc.property(requests, excludeds, fanOuts, (waiting, excluded, fanOutOf) => {
      const fanOut = (accountId: string): number => fanOutOf[accountId as keyof typeof fanOutOf]
      const { group, later } = nextGroup(waiting, { ...ordinary, excluded, fanOut })
      expect(group.filter(one => excluded.has(one.accountId))).toEqual([])
      expect(group.length > 0).toBe(waiting.some(one => !excluded.has(one.accountId)))
      expect(later).toEqual(waiting.filter(one => !group.includes(one)))
      expect(group.length + later.length).toBe(waiting.length)
      if (group.length > 1) {
        expect(sum(group, one => one.events.length)).toBeLessThanOrEqual(groupEventsMax)
        expect(sum(group, one => one.bytes)).toBeLessThanOrEqual(groupBytesMax)
        const deliveries = sum(group, one => one.events.length * fanOut(one.accountId))
        expect(deliveries).toBeLessThanOrEqual(groupDeliveriesMax)
        expect(group.filter(one => one.alone)).toEqual([])
      }
      for (const account of accountsOf(waiting)) {
        const taken = group.filter(one => one.accountId === account)
        expect(taken).toEqual(waiting.filter(one => one.accountId === account).slice(0, taken.length))
      }
    }),
  )
})

test('every waiting account is served within as many groups as there are accounts', () => {
  fc.assert(
    fc.property(requests, all => {
      const accounts = accountsOf(all)
      const passedOver = new Map([...accounts].map(account => [account, 0]))
      let waiting: readonly Groupable[] = all
      let accountOrder: readonly string[] = []
      while (waiting.length > 0) {
        const next = nextGroup(waiting, { ...ordinary, accountOrder })
        const served = accountsOf(next.group)
        for (const account of accountsOf(waiting)) {
          const times = served.has(account) ? 0 : (passedOver.get(account) ?? 0) + 1
          expect(times).toBeLessThan(accounts.size)
          passedOver.set(account, times)
        }
        waiting = next.later
        accountOrder = next.accountOrder
      }
    }),
  )
})

test('one account’s many small requests leave room in the group for another account’s request', () => {
  const small = (accountId: string): Groupable => ({ accountId, events: [1], bytes: 10 })
  const waiting = [...Array.from({ length: groupEventsMax }, () => small('many')), small('one')]
  const { group, later } = nextGroup(waiting, ordinary)
  expect([group.length, accountsOf(group), later.length]).toEqual([
    groupEventsMax,
    new Set(['many', 'one']),
    1,
  ])
})
