import { expect, test } from 'vitest'
import { goneReplay, replayWindow } from './replay-window.ts'

const outage = {
  sinceMs: Date.parse('2026-11-19T21:12:00Z'),
  untilMs: Date.parse('2026-11-20T03:18:00Z'),
  lastBadMs: Date.parse('2026-11-20T03:00:00Z'),
  givenUp: 64,
}
const health = { oldest_waiting: null, failing_since: null }

test('the window is the outage plus the minutes before it', () => {
  expect(replayWindow(outage, health)).toEqual({
    since: '2026-11-19T21:02:00.000Z',
    until: '2026-11-20T03:19:00.000Z',
  })
})

test('the window of an ongoing outage has no end', () => {
  expect(replayWindow({ ...outage, untilMs: null }, health)).toEqual({ since: '2026-11-19T21:02:00.000Z' })
  expect(replayWindow(outage, { ...health, failing_since: '2026-11-21T01:00:30.000Z' })).toEqual({
    since: '2026-11-19T21:02:00.000Z',
  })
})

test('the window includes deliveries that have been pending since before the outage', () => {
  const oldest_waiting = { delivery_id: 'dlv_1', event_id: 'evt_1', since: '2026-11-18T10:00:59.000Z' }
  expect(replayWindow(outage, { ...health, oldest_waiting }).since).toBe('2026-11-18T10:00:00.000Z')
})

test('without an outage or pending deliveries no window is proposed', () => {
  expect(replayWindow(null, health)).toEqual({})
})

test('what a 410 gave up is replayed from the minute of the oldest, and nothing else than given up deliveries', () => {
  expect(goneReplay({ gone_since: '2026-11-20T10:00:59.120Z' })).toEqual({
    since: '2026-11-20T10:00:00.000Z',
    states: 'exhausted',
  })
  expect(goneReplay({ gone_since: null })).toBeNull()
})
