import { expect, test } from 'vitest'
import { countedOutcome } from '../domain/counted-outcome.ts'
import type { EventType } from '../domain/event-type.ts'
import { firstUuidV7At } from '../domain/uuid-v7.ts'
import { type CountedEvent, domainsMax, OutcomeCounts } from './outcome-counts.ts'

const minuteMs = 60_000
const firstMs = Date.parse('2026-11-21T04:00:00Z')

function event(
  type: EventType,
  to: string[],
  { more = {}, atMs = firstMs, accountId = 'a' } = {},
): CountedEvent {
  return { accountId, id: firstUuidV7At(atMs), type, counted: countedOutcome(type, { to, ...more }) }
}

test('an account has at most a hundred domains in a minute, the same ones for every type', () => {
  const counts = new OutcomeCounts()
  for (let n = 0; n < 150; n++) counts.add(event('email.delivered', [`ann@d${n}.example`]))
  for (let n = 0; n < 150; n++) counts.add(event('email.failed', [`ann@d${n}.example`]))
  counts.add(event('email.delivered', ['ann@d149.example'], { accountId: 'b' }))
  counts.add(event('email.delivered', ['ann@d149.example'], { atMs: firstMs + minuteMs }))
  const taken = counts.take()
  expect(taken.map(one => [one.accountId, one.count, one.domains.size])).toEqual([
    ['a', 150, domainsMax],
    ['a', 150, domainsMax],
    ['a', 1, 1],
    ['b', 1, 1],
  ])
  expect([...(taken[0]?.domains.keys() ?? [])]).toEqual([...(taken[1]?.domains.keys() ?? [])])
  expect(counts.take()).toEqual([])
})

test('recipients are counted by minute, type and reason, and erased ones have no domain', () => {
  const counts = new OutcomeCounts()
  counts.add(event('email.delivered', ['ann@ONE.example', '"a@b"@one.example', 'cy@two.example']))
  counts.add(
    event('email.bounced', ['ann@one.example'], { more: { bounce: { category: 'invalid_domain' } } }),
  )
  counts.add(event('email.bounced', ['erased@erased.invalid']))
  expect(counts.take()).toMatchObject([
    {
      type: 'email.delivered',
      reason: '',
      count: 3,
      domains: new Map([
        ['one.example', 2],
        ['two.example', 1],
      ]),
    },
    { type: 'email.bounced', reason: 'invalid_domain', count: 1 },
    { type: 'email.bounced', reason: '', count: 1, domains: new Map() },
  ])
})
