import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Groupable, groupBytesMax, groupEventsMax, nextGroup } from './next-group.ts'

const request = fc.record({
  accountId: fc.constantFrom('a', 'b', 'c', 'd'),
  events: fc.integer({ min: 1, max: groupEventsMax }).map(length => ({ length }) as unknown[]),
  bytes: fc.integer({ min: 1, max: groupBytesMax + 1 }),
})
const requests = fc.array(request, { minLength: 1, maxLength: 40 })
const heldBacks = fc.subarray(['a', 'b', 'c', 'd']).map(accountIds => new Set(accountIds))

const sum = (all: readonly Groupable[], what: (one: Groupable) => number): number =>
  all.reduce((total, one) => total + what(one), 0)
const accountsOf = (all: readonly Groupable[]): Set<string> => new Set(all.map(one => one.accountId))

test('a group keeps to its bounds, takes each account’s oldest, and nobody is lost or taken twice', () => {
  fc.assert(
    fc.property(requests, heldBacks, (waiting, heldBack) => {
      const { group, later } = nextGroup(waiting, [], heldBack)
      expect(group.filter(one => heldBack.has(one.accountId))).toEqual([])
      expect(group.length > 0).toBe(waiting.some(one => !heldBack.has(one.accountId)))
      expect(later).toEqual(waiting.filter(one => !group.includes(one)))
      expect(group.length + later.length).toBe(waiting.length)
      if (group.length > 1) {
        expect(sum(group, one => one.events.length)).toBeLessThanOrEqual(groupEventsMax)
        expect(sum(group, one => one.bytes)).toBeLessThanOrEqual(groupBytesMax)
      }
      for (const account of accountsOf(waiting)) {
        const taken = group.filter(one => one.accountId === account)
        expect(taken).toEqual(waiting.filter(one => one.accountId === account).slice(0, taken.length))
      }
    }),
  )
})

test('of the accounts that wait each is served before one of them is served again and again', () => {
  fc.assert(
    fc.property(requests, all => {
      const accounts = accountsOf(all)
      const passedOver = new Map([...accounts].map(account => [account, 0]))
      let waiting: readonly Groupable[] = all
      let turns: readonly string[] = []
      while (waiting.length > 0) {
        const next = nextGroup(waiting, turns)
        const served = accountsOf(next.group)
        for (const account of accountsOf(waiting)) {
          const times = served.has(account) ? 0 : (passedOver.get(account) ?? 0) + 1
          expect(times).toBeLessThan(accounts.size)
          passedOver.set(account, times)
        }
        waiting = next.later
        turns = next.turns
      }
    }),
  )
})

test('of as many small ones of one account as a group holds and one of another, both are in the group', () => {
  const small = (accountId: string): Groupable => ({ accountId, events: [1], bytes: 10 })
  const waiting = [...Array.from({ length: groupEventsMax }, () => small('many')), small('one')]
  const { group, later } = nextGroup(waiting, [])
  expect([group.length, accountsOf(group), later.length]).toEqual([
    groupEventsMax,
    new Set(['many', 'one']),
    1,
  ])
})
