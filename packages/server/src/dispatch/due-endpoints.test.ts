import { expect, test } from 'vitest'
import { DueEndpoints } from './due-endpoints.ts'
import { firstEndpoint, type ReadyEndpoint } from './find-ready.ts'

const endpoint = (endpointId: string): ReadyEndpoint => ({
  accountId: 'a',
  endpointId,
  failuresInRow: 0,
  paced: false,
})
const inTurn = (due: DueEndpoints): ReadyEndpoint[] =>
  [...due.endpoints.inTurn({ full: () => false, capped: () => false })].map(one => one.endpoint)
const known = (due: DueEndpoints): string[] => inTurn(due).map(({ endpointId }) => endpointId)

/** Looks as a round does, for `tookMs` from `nowMs` on. */
function look(due: DueEndpoints, nowMs: number, ready: string[], last: string | null, tookMs = 1): string {
  const after = due.look()
  const asked = { askedAtMs: nowMs, nowMs: nowMs + tookMs, pollEveryMs: 5_000 }
  due.found({ ready: ready.map(endpoint), last }, asked)
  return after
}

/** One that knows its table. */
function newDue(): DueEndpoints {
  const due = new DueEndpoints(() => 'proven')
  look(due, 0, [], null)
  return due
}

test('what was set to be due is known when it is, and the table is not asked for it', () => {
  const due = newDue()
  due.dueAt(3_000, endpoint('later'))
  due.dueAt(1_000, endpoint('sooner'))
  expect(due.nextInMs(400)).toBe(600)
  due.ring(999)
  expect(known(due)).toEqual([])
  due.ring(1_000)
  expect(known(due)).toEqual(['sooner'])
  due.ring(3_000)
  expect(known(due)).toEqual(['sooner', 'later'])
  expect(due.isLookDue(4_000)).toBe(false)
})

test('what becomes due within a moment is claimed together', () => {
  const due = newDue()
  for (const atMs of [1_000, 1_001, 1_019]) due.dueAt(atMs, endpoint(`at ${atMs}`))
  due.ring(1_000)
  expect(known(due)).toEqual(['at 1000'])
  expect(due.nextInMs(1_000)).toBe(20)
  due.ring(1_020)
  expect(known(due)).toEqual(['at 1000', 'at 1001', 'at 1019'])
})

test('a look goes through the table part by part, and takes a tenth of the time', () => {
  const due = newDue()
  due.mayHaveChanged()
  expect(look(due, 5_000, ['a', 'b'], 'c', 10)).toBe(firstEndpoint)
  expect(due.isLookDue(5_099)).toBe(false)
  expect(due.isLookDue(5_100)).toBe(true)
  expect(look(due, 5_100, ['d'], null)).toBe('c')
  expect(known(due)).toEqual(['a', 'b', 'd'])
  // and once it has seen all, the next one is the safety net's
  expect(due.isLookDue(10_000)).toBe(false)
  expect(due.isLookDue(10_101)).toBe(true)
})

test('what changes while a look is under way makes another one', () => {
  const due = newDue()
  due.mayHaveChanged()
  look(due, 5_000, [], 'c')
  due.mayHaveChanged()
  look(due, 6_000, [], null)
  expect(due.isLookDue(6_100)).toBe(true)
  expect(look(due, 6_100, [], null)).toBe(firstEndpoint)
  expect(due.isLookDue(6_200)).toBe(false)
})

test('a look forgets nobody of whom something was heard', () => {
  const due = newDue()
  due.mayHaveChanged()
  const after = due.look()
  due.add(endpoint('told'))
  due.found({ ready: [], last: null }, { askedAtMs: 5_000, nowMs: 5_001, pollEveryMs: 5_000 })
  expect(after).toBe(firstEndpoint)
  expect(known(due)).toEqual(['told'])
})

test('who gave less than there was room for is forgotten, unless something was heard since the claim began', () => {
  const due = newDue()
  for (const one of ['full', 'empty', 'told again']) due.add(endpoint(one))
  due.claimBegins()
  const rooms = inTurn(due).map(({ accountId, endpointId }) => ({ accountId, endpointId, room: 1 }))
  due.add(endpoint('told again'))
  due.claimed(rooms, [{ endpointId: 'full' }])
  expect(known(due).toSorted()).toEqual(['full', 'told again'])
  due.claimBegins()
  due.claimed(rooms, [])
  expect(known(due)).toEqual([])
})
