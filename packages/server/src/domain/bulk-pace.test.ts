import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BulkPace, restsOfClaims } from './bulk-pace.ts'

/** A pace that knows that storing a few events takes a millisecond, and what it takes now, beside bulk. */
function paceBeside(besideMs: number, events = 20): BulkPace {
  const pace = new BulkPace()
  for (let n = 0; n < 50; n++) pace.storedFew(n * 10, n * 10 + 1, events)
  pace.restMsAfter(500, 500)
  for (let n = 0; n < 50; n++) pace.storedFew(510 + n * 10, 510 + n * 10 + besideMs, events)
  return pace
}

test('bulk does not rest where those who report little notice nothing of it', () => {
  const pace = paceBeside(1.2)
  expect(pace.restMsAfter(1_000, 1_060)).toBe(0)
})

test('the longer others wait, the longer it rests, up to three times as long as it worked', () => {
  const rests = [1.5, 1.8, 20].map(besideMs => {
    const pace = paceBeside(besideMs)
    return pace.restMsAfter(1_000, 1_060)
  })
  expect(rests[0]).toBeGreaterThan(0)
  expect(rests[1]).toBeGreaterThan(rests[0] ?? 0)
  expect(rests[2]).toBe(180)
})

test('what is claimed in bulk is late already: it rests sooner, up to four times as long as it worked, half a second at most', () => {
  const rest = (besideMs: number, workedMs: number): number =>
    paceBeside(besideMs).restMsAfter(1_000, 1_000 + workedMs, restsOfClaims)
  expect([rest(1.2, 30), rest(20, 30), rest(20, 300)]).toEqual([0, 120, 500])
  expect(rest(1.5, 30)).toBeGreaterThan(paceBeside(1.5).restMsAfter(1_000, 1_030))
})

test('where few events wait, it makes less way: a quarter of it for half of them', () => {
  const [one, two] = [1, 2].map(events => paceBeside(20, events).restMsAfter(1_440, 1_500))
  expect(one).toBeGreaterThan(0)
  expect(two).toBeCloseTo((one ?? 0) * 4)
  expect(two).toBeLessThan(180)
})

test('a slow group is followed by a quarter of a second at most', () => {
  const pace = paceBeside(20)
  expect(pace.restMsAfter(1_000, 1_900)).toBe(250)
})

test('where nobody has reported little within a second, it does not rest', () => {
  const pace = paceBeside(20)
  expect(pace.restMsAfter(3_000, 3_060)).toBe(0)
})

test('it is not taken for normal that storing takes long while bulk goes on and on', () => {
  const pace = paceBeside(20)
  for (let n = 0; n < 1_000; n++) {
    pace.restMsAfter(1_000 + n * 100, 1_060 + n * 100)
    pace.storedFew(1_065 + n * 100, 1_085 + n * 100, 20)
  }
  expect(pace.restMsAfter(101_000, 101_060)).toBe(180)
})

test('one storing that took long is no reason to rest', () => {
  const pace = paceBeside(1)
  pace.storedFew(900, 990, 20)
  expect(pace.restMsAfter(1_000, 1_060)).toBe(0)
})

test('a process that began beside bulk makes way once it has seen that less is possible', () => {
  const pace = new BulkPace()
  pace.restMsAfter(0, 60)
  for (const [fromMs, tookMs] of [
    [100, 20],
    [200, 2],
    [300, 20],
  ] as const) {
    for (let n = 0; n < 40; n++) pace.storedFew(fromMs + n, fromMs + n + tookMs, 20)
  }
  expect(pace.restMsAfter(400, 460)).toBe(180)
})

test('a database that became slower for everybody is the measure as soon as there is no bulk', () => {
  const pace = paceBeside(20)
  for (let n = 0; n < 200; n++) pace.storedFew(10_000 + n * 30, 10_020 + n * 30, 20)
  expect(pace.restMsAfter(16_000, 16_060)).toBe(0)
})

test('as much is accepted in a millisecond as may begin, while others notice it', () => {
  const report = Array.from({ length: 1_000 }, () => 'bursting')
  const rest = (fromMs: number, events: number, pausedMs = 0): number => {
    const stored = { fromMs, untilMs: fromMs + 60 + pausedMs, pausedMs }
    return Math.round(paceBeside(20).restMsAfterReport(stored, report.slice(0, events)))
  }
  expect([rest(1_000, 1_000), rest(3_000, 1_000), rest(1_000, 150)]).toEqual([440, 0, 180])
  // what it rested between its pieces is part of that
  expect([rest(1_000, 1_000, 120), rest(1_000, 150, 120)]).toEqual([320, 60])
})

test('a piece of a report rests twice as long as it took, a quarter of a second in all of them, and only where others notice', () => {
  const pace = paceBeside(20)
  expect(pace.pauseMsAfterPiece(1_000, 1_004, 0)).toBe(8)
  expect(pace.pauseMsAfterPiece(1_000, 1_040, 200)).toBe(50)
  expect(pace.pauseMsAfterPiece(1_000, 1_040, 260)).toBe(0)
  expect(pace.pauseMsAfterPiece(3_000, 3_004, 0)).toBe(0)
})

test('what it begins counts as beside the others, also when nothing is reported any more', () => {
  const pace = paceBeside(20)
  pace.starts.reported('bursting', 1_010)
  for (let n = 0; n < 100; n++) {
    const nowMs = 3_000 + n * 100
    pace.storedFew(nowMs - 20, nowMs, 20)
    pace.starts.begins('bursting', 500, nowMs)
  }
  expect(pace.starts.roomOf('bursting', 12_950)).toBe(800)
})

test('whatever it is told, bulk rests no longer than a quarter of a second and three times its work', () => {
  const storing = fc.record({
    inBulk: fc.boolean(),
    afterMs: fc.double({ min: 0, max: 2_000, noNaN: true }),
    tookMs: fc.double({ min: 0, max: 10_000, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(storing, { maxLength: 60 }), storings => {
      const pace = new BulkPace()
      let nowMs = 0
      for (const { inBulk, afterMs, tookMs } of storings) {
        const fromMs = nowMs + afterMs
        nowMs = fromMs + tookMs
        if (!inBulk) {
          pace.storedFew(fromMs, nowMs, 20)
          continue
        }
        const restMs = pace.restMsAfter(fromMs, nowMs)
        expect(restMs).toBeGreaterThanOrEqual(0)
        expect(restMs).toBeLessThanOrEqual(Math.min(250, tookMs * 3) + 1e-6)
      }
    }),
  )
})
