import { expect, test } from 'vitest'
import { findOutage } from './find-outage.ts'

const stepMs = 900_000
const startMs = Date.parse('2026-11-20T20:00:00Z')

/** One point for each 15 minutes, as `delivered/failed` or `delivered/failed/exhausted`; `-` means no attempt. */
function points(shape: string) {
  return shape.split(' ').map((text, place) => {
    const [delivered = 0, failed = 0, exhausted = 0] = text === '-' ? [] : text.split('/').map(Number)
    return { at: new Date(startMs + place * stepMs).toISOString(), delivered, failed, exhausted }
  })
}

const at = (place: number): number => startMs + place * stepMs

test('an outage lasts from its first failures to the first quarter-hour with mostly successes', () => {
  expect(findOutage(points('40/0 40/0 0/38 0/44 30/1 40/0'))).toEqual({
    sinceMs: at(2),
    untilMs: at(4),
    lastBadMs: at(3),
    givenUp: 0,
  })
})

test('the quarter-hour in which an outage begins belongs to it, even if most of it succeeded', () => {
  expect(findOutage(points('40/0 30/9 0/38 40/0'))).toMatchObject({ sinceMs: at(1), untilMs: at(3) })
})

test('an outage continues through the gaps between rare retries', () => {
  expect(findOutage(points('40/0 0/20 - - 0/3 - - - 0/1 - 12/0'))).toMatchObject({
    sinceMs: at(1),
    untilMs: at(10),
  })
})

test('an ongoing outage has no end', () => {
  expect(findOutage(points('40/0 0/20 - -'))).toMatchObject({ sinceMs: at(1), untilMs: null })
})

test('of two outages the latest is reported, with its number of exhausted deliveries', () => {
  expect(findOutage(points('0/9/4 40/0 40/0 0/8/2 1/9/3 40/2/1'))).toEqual({
    sinceMs: at(3),
    untilMs: at(5),
    lastBadMs: at(4),
    givenUp: 6,
  })
})

test('a few failures among many successes are not an outage', () => {
  expect(findOutage(points('400/9 380/12 410/1'))).toBeNull()
  expect(findOutage([])).toBeNull()
})
