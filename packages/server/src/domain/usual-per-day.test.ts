import { expect, test } from 'vitest'
import { usualDays, usualPerDay } from './usual-per-day.ts'

const at = (text: string): number => Date.parse(`2026-11-${text}Z`)
const nowMs = at('21T04:00:00')

test.each([
  ['20 days before the first', at('01T00:00:00') - 20 * 86_400_000, 7, at('14T00:00:00')],
  ['exactly seven whole days', at('14T00:00:00'), 7, at('14T00:00:00')],
  ['six whole days and a part', at('14T00:00:01'), 6, at('15T00:00:00')],
  ['yesterday', at('20T00:00:00'), 1, at('20T00:00:00')],
  ['less than a whole day in UTC', at('20T00:00:01'), 0, at('21T00:00:00')],
  ['today', at('21T03:00:00'), 0, at('21T00:00:00')],
])(
  'the usual rate of an endpoint comes from its complete days, if it exists since %s',
  (_, createdAtMs, days, fromMs) => {
    expect(usualDays({ createdAtMs, nowMs })).toEqual({ fromMs, untilMs: at('21T00:00:00'), days })
  },
)

test('an average is rounded to a tenth, and is null without a whole day', () => {
  const seven = usualDays({ createdAtMs: 0, nowMs })
  expect(usualPerDay(2_800, seven)).toBe(400)
  expect(usualPerDay(5, seven)).toBe(0.7)
  expect(usualPerDay(0, seven)).toBe(0)
  expect(usualPerDay(5, usualDays({ createdAtMs: nowMs, nowMs }))).toBeNull()
})
