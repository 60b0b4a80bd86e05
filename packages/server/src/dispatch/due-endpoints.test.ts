import { expect, test } from 'vitest'
import { DueEndpoints } from './due-endpoints.ts'

const endpoint = { accountId: 'account', endpointId: 'endpoint', failuresInRow: 0, limited: false }

test('a hint that comes after a full look lets an endpoint begin no later than the look has found', () => {
  const due = new DueEndpoints()
  due.completeToMs = 5_000
  due.addAt(10, { ...endpoint, dueFromMs: 4_000 })
  due.found({ ...endpoint, limited: true, dueFromMs: 1_000 })
  due.addUpcoming(10)
  due.add(endpoint)
  expect([...due.roundRobin()]).toEqual([{ ...endpoint, limited: true, dueFromMs: 1_000 }])
})

test('an endpoint that nobody knew has nothing due from before the last complete look', () => {
  const due = new DueEndpoints()
  due.completeToMs = 5_000
  due.add(endpoint)
  expect([...due.roundRobin()]).toEqual([{ ...endpoint, dueFromMs: 5_000 }])
})

test('an endpoint to ask again is remembered, however many retries are', () => {
  const due = new DueEndpoints()
  for (let n = 0; n < 60_000; n++) due.addRetryAt(1_000_000 + n, { ...endpoint, endpointId: `of retry ${n}` })
  due.addAt(10, endpoint)
  due.addUpcoming(10)
  expect([...due.roundRobin()].map(one => one.endpointId)).toEqual(['endpoint'])
})
