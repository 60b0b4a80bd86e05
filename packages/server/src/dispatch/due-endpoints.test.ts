import { expect, test } from 'vitest'
import { DueEndpoints } from './due-endpoints.ts'

const endpoint = { accountId: 'account', endpointId: 'endpoint', failuresInRow: 0, limited: false }

test('a hint after a full scan keeps the earlier due time found by the scan', () => {
  const due = new DueEndpoints()
  due.completeToMs = 5_000
  due.addAt(10, { ...endpoint, dueFromMs: 4_000 })
  due.found({ ...endpoint, limited: true, dueFromMs: 1_000 })
  due.addUpcoming(10)
  due.add(endpoint)
  expect([...due.roundRobin()]).toEqual([{ ...endpoint, limited: true, dueFromMs: 1_000 }])
})

test('an endpoint seen for the first time has nothing due from before the last complete scan', () => {
  const due = new DueEndpoints()
  due.completeToMs = 5_000
  due.add(endpoint)
  expect([...due.roundRobin()]).toEqual([{ ...endpoint, dueFromMs: 5_000 }])
})

test('an endpoint to check again is remembered even among 60,000 retries', () => {
  const due = new DueEndpoints()
  for (let n = 0; n < 60_000; n++) due.addRetryAt(1_000_000 + n, { ...endpoint, endpointId: `of retry ${n}` })
  due.addAt(10, endpoint)
  due.addUpcoming(10)
  expect([...due.roundRobin()].map(one => one.endpointId)).toEqual(['endpoint'])
})
