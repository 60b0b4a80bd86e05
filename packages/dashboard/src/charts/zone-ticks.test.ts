import { afterEach, expect, test, vi } from 'vitest'
import { zoneTicks } from './zone-ticks.ts'

const hourMs = 3_600_000
const clocks = (ticks: ReturnType<typeof zoneTicks>): string[] =>
  ticks.map(({ atMs }) => new Date(atMs).toISOString().slice(5, 16))

afterEach(() => vi.unstubAllEnvs())

test('a day has a label every three hours, on full hours of the time zone', () => {
  const from = Date.parse('2026-11-20T03:30:00Z')
  expect(clocks(zoneTicks(from, from + 24 * hourMs, 'utc', 8))).toEqual([
    '11-20T06:00',
    '11-20T09:00',
    '11-20T12:00',
    '11-20T15:00',
    '11-20T18:00',
    '11-20T21:00',
    '11-21T00:00',
    '11-21T03:00',
  ])
})

test('half-hour zones get labels on their own full hours', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata')
  const from = Date.parse('2026-11-20T00:00:00Z')
  expect(clocks(zoneTicks(from, from + 24 * hourMs, 'local', 4))).toEqual([
    '11-20T00:30',
    '11-20T06:30',
    '11-20T12:30',
    '11-20T18:30',
  ])
})

test('a week is labelled at local midnights, 23 hours apart when clocks go forward', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const from = Date.parse('2026-03-27T12:00:00Z')
  const ticks = zoneTicks(from, from + 7 * 24 * hourMs, 'local', 8)
  expect(clocks(ticks)).toEqual([
    '03-27T23:00',
    '03-28T23:00',
    '03-29T22:00',
    '03-30T22:00',
    '03-31T22:00',
    '04-01T22:00',
    '04-02T22:00',
  ])
  expect(ticks.every(tick => tick.isDay)).toBe(true)
})

test('narrow charts get fewer labels', () => {
  const from = Date.parse('2026-11-01T00:00:00Z')
  for (const hours of [1, 24, 7 * 24, 30 * 24]) {
    expect(zoneTicks(from, from + hours * hourMs, 'utc', 4).length).toBeLessThanOrEqual(4)
  }
})
