import { expect, test } from 'vitest'
import type { Call } from '../api/call.ts'
import { lastOutage } from './last-outage.ts'

const minuteMs = 60_000
const nowMs = Date.parse('2026-11-21T10:20:00Z')
const firstMs = Date.parse('2026-11-18T00:00:00Z')
const signal = new AbortController().signal

/** A service whose endpoint fails between two moments, with an attempt every minute. */
function serviceWith({ brokeAt, mendedAt }: { brokeAt: string; mendedAt: string | null }): Call {
  const brokeMs = Date.parse(brokeAt)
  const mendedMs = mendedAt === null ? Number.POSITIVE_INFINITY : Date.parse(mendedAt)
  const call = async (_: string, { query }: { query: { bucket: string; since: string; until: string } }) => {
    const stepMs = query.bucket === '1m' ? minuteMs : 15 * minuteMs
    const data = []
    for (
      let at = Date.parse(query.since) - (Date.parse(query.since) % stepMs);
      at < Date.parse(query.until);
      at += stepMs
    ) {
      const minutes = Array.from({ length: stepMs / minuteMs }, (__, minute) => at + minute * minuteMs)
      const sent = minutes.filter(ms => ms >= firstMs && ms < nowMs)
      const failed = sent.filter(ms => ms >= brokeMs && ms < mendedMs).length
      data.push({ at: new Date(at).toISOString(), delivered: sent.length - failed, failed, exhausted: 0 })
    }
    return { data }
  }
  // the code under test only reads statistics
  return call as unknown as Call
}

test('an outage is reported to the minute', async () => {
  const call = serviceWith({ brokeAt: '2026-11-21T02:13:00Z', mendedAt: '2026-11-21T03:18:00Z' })
  expect(await lastOutage(call, 'wh_1', nowMs, signal)).toMatchObject({
    sinceMs: Date.parse('2026-11-21T02:13:00Z'),
    untilMs: Date.parse('2026-11-21T03:18:00Z'),
    isToTheMinute: true,
  })
})

test('a recovery is seen at once, even if most of its quarter-hour failed', async () => {
  const call = serviceWith({ brokeAt: '2026-11-21T09:00:00Z', mendedAt: '2026-11-21T10:18:00Z' })
  expect((await lastOutage(call, 'wh_1', nowMs, signal))?.untilMs).toBe(Date.parse('2026-11-21T10:18:00Z'))
})

test('an ongoing outage has no end, and an endpoint that always answered has no outage', async () => {
  const broken = serviceWith({ brokeAt: '2026-11-21T09:00:00Z', mendedAt: null })
  expect((await lastOutage(broken, 'wh_1', nowMs, signal))?.untilMs).toBeNull()
  const well = serviceWith({ brokeAt: '2026-11-22T09:00:00Z', mendedAt: null })
  expect(await lastOutage(well, 'wh_1', nowMs, signal)).toBeNull()
})

test('an outage of more than a day still ends to the minute', async () => {
  const call = serviceWith({ brokeAt: '2026-11-19T09:03:00Z', mendedAt: '2026-11-21T10:07:00Z' })
  expect(await lastOutage(call, 'wh_1', nowMs, signal)).toMatchObject({
    sinceMs: Date.parse('2026-11-19T09:00:00Z'),
    untilMs: Date.parse('2026-11-21T10:07:00Z'),
    isToTheMinute: true,
  })
})
