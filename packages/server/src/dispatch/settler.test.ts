import { expect, test } from 'vitest'
import type { Settlement } from './settle.ts'
import { Settler } from './settler.ts'

interface Result {
  endpointId: string
  outcome?: 'success' | 'failure'
  endpointFailing?: boolean
  verifiedKeyIds?: string[]
}

let count = 0
function result({
  endpointId,
  outcome = 'success',
  endpointFailing = false,
  ...attempt
}: Result): Settlement {
  return {
    taken: { deliveryId: `${count++}`, accountId: 'a', endpointId, endpointFailing },
    verdict: {},
    attempt: {
      exchange: { outcome, error: outcome === 'failure' ? { code: 'connection_reset' } : null },
      verifiedKeyIds: [],
      newCertificateExpiresAtMs: null,
      endpointWasFailing: false,
      ...attempt,
    },
  } as unknown as Settlement
}

/** A settler on a clock that rests move on, and the statements it made: endpoints and results, as they begin. */
function open() {
  const statements: string[] = []
  let nowMs = 0
  const settler = new Settler({
    settle: async batch => {
      statements.push(
        batch.map(({ taken, attempt }) => `${taken.endpointId} ${attempt?.exchange.outcome}`).join(', '),
      )
      await new Promise(resolve => setImmediate(resolve))
    },
    unwritten: async batch => await Promise.resolve([...batch]),
    onSettled: () => {},
    onError: () => {},
    clock: { monotonicMs: () => nowMs },
    rest: async ms => {
      nowMs += ms
      await new Promise(resolve => setImmediate(resolve))
    },
    retryDelayMs: 250,
  })
  return { settler, statements, now: () => nowMs }
}

test('results of endpoints that fail are written apart from those of endpoints that stay well', async () => {
  const { settler, statements } = open()
  settler.add(result({ endpointId: 'well' }))
  settler.add(result({ endpointId: 'failing', outcome: 'failure' }))
  settler.add(result({ endpointId: 'verified', verifiedKeyIds: ['key'] }))
  settler.add(result({ endpointId: 'recovering', endpointFailing: true }))
  expect([settler.unsettled, settler.gathered, settler.gatheredOf('a')]).toEqual([4, 4, 4])
  await settler.drain()
  expect(statements).toEqual(['well success', 'failing failure, verified success, recovering success'])
  expect([settler.unsettled, settler.gathered, settler.gatheredOf('a')]).toEqual([0, 0, 0])
})

test('a success does not overtake the failure before it, whose end it is', async () => {
  const { settler, statements } = open()
  settler.add(result({ endpointId: 'one', outcome: 'failure' }))
  settler.add(result({ endpointId: 'one' }))
  settler.add(result({ endpointId: 'other' }))
  await settler.drain()
  expect(statements.toSorted()).toEqual(['one failure, one success', 'other success'])
  settler.add(result({ endpointId: 'one' }))
  await settler.drain()
  expect(statements.at(-1)).toBe('one success')
})

test('statements that touch endpoints begin a hundred milliseconds apart, the others fifty', async () => {
  for (const [outcome, apartMs] of [
    ['failure', 100],
    ['success', 50],
  ] as const) {
    const { settler, now } = open()
    settler.add(result({ endpointId: 'one', outcome }))
    await settler.drain()
    settler.add(result({ endpointId: 'one', outcome }))
    await settler.drain()
    expect(now()).toBe(apartMs)
  }
})
