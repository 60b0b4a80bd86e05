import { expect, test } from 'vitest'
import { BulkPace } from '../domain/bulk-pace.ts'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import type { Accepted, NewEvent } from './accept.ts'
import { openOutcomes, type OutcomesDependencies } from './accept-outcomes.ts'

const stored = (events: readonly NewEvent[]): Accepted => ({
  duplicateOf: events.map(() => null),
  taken: [],
  left: [],
})
const outcome: DecidedOutcome = {
  accountId: '01890a5d-ac96-774b-bcce-b302099a8057',
  type: 'email.delivered',
  data: { email_id: 'em_1', to: ['reader@example.org'], occurred_at: '2026-01-01T00:00:00.000Z' },
  outcomeId: null,
}

const inBulk = Array.from({ length: 1_000 }, () => outcome)
const aFew = Array.from({ length: 20 }, () => outcome)
const db: OutcomesDependencies['db'] = {
  query: async () => [],
  transaction: async () => await Promise.reject(new Error('none is needed')),
}
const dependencies: Omit<OutcomesDependencies, 'store' | 'pace'> = {
  db,
  kept: { ...db, during: async work => await work() },
  clock: { monotonicMs: () => 0 },
  rest: async () => {},
  newId: () => '01890a5d-ac96-774b-bcce-b302099a8058',
  mayPause: false,
  roomForBulk: async () => {},
  suppress: async () => {},
  afterCommit: () => {},
}

test('who reports little does not wait for a report in bulk that is being stored', async () => {
  const bulk = Promise.withResolvers<void>()
  const outcomes = openOutcomes({
    ...dependencies,
    pace: new BulkPace(),
    store: async (_, events, isBulk) => {
      if (isBulk) await bulk.promise
      return stored(events)
    },
  })
  const large = outcomes.group(inBulk)
  const { accepted } = await outcomes.group([outcome])
  expect(accepted).toBe(1)
  bulk.resolve()
  expect((await large).accepted).toBe(1_000)
  await outcomes.drain()
})

test('reports in bulk make way while who reports little has to wait, and for nobody else', async () => {
  let nowMs = 0
  let fewTakeMs = 1
  const rests: number[] = []
  const outcomes = openOutcomes({
    ...dependencies,
    pace: new BulkPace(),
    clock: { monotonicMs: () => nowMs },
    rest: async ms => {
      rests.push(ms)
      nowMs += ms
    },
    store: async (_, events, isBulk) => {
      nowMs += isBulk ? 50 : fewTakeMs
      return stored(events)
    },
  })
  await outcomes.group(inBulk)
  await outcomes.group(inBulk)
  expect(rests).toEqual([])
  for (let n = 0; n < 100; n++) await outcomes.group(aFew)
  fewTakeMs = 20
  for (let n = 0; n < 40; n++) await outcomes.group(aFew)
  await outcomes.group(inBulk)
  // at the slowest pace a thousand events take half a second; storing them, and a few others, took a part of it
  await outcomes.group(aFew)
  await outcomes.group(inBulk)
  expect(rests).toEqual([430])
  nowMs += 10_000
  await outcomes.group(inBulk)
  await outcomes.group(inBulk)
  expect(rests).toEqual([430])
})

test('reports in bulk within transactions of their own take turns with the others, and end as they end', async () => {
  const outcomes = openOutcomes({
    ...dependencies,
    pace: new BulkPace(),
    store: async (_, events) => stored(events),
  })
  const first = Promise.withResolvers<string>()
  const begun: string[] = []
  const begin = async (name: string, ended: Promise<string>): Promise<string> => {
    begun.push(name)
    return await ended
  }
  const all = [
    outcomes.inTurn(inBulk, async () => await begin('bulk', first.promise)),
    outcomes.inTurn(inBulk, async () => await begin('failing', Promise.reject(new Error('refused')))),
    outcomes.inTurn(inBulk, async () => await begin('more', Promise.resolve('more'))),
    outcomes.inTurn([outcome], async () => await begin('few', Promise.resolve('few'))),
  ]
  const ends = Promise.allSettled(all)
  expect(await all[3]).toBe('few')
  expect(begun).toEqual(['few', 'bulk'])
  first.resolve('bulk')
  expect((await ends).map(end => (end.status === 'fulfilled' ? end.value : 'refused'))).toEqual([
    'bulk',
    'refused',
    'more',
    'few',
  ])
  expect(begun).toEqual(['few', 'bulk', 'failing', 'more'])
})
