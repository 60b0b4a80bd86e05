import fc from 'fast-check'
import { expect, test } from 'vitest'
import { httpDateMs } from './http-date.ts'

const longDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** A moment in the three forms, from the one that `Date` writes. */
function formsOf(ms: number): string[] {
  const fixdate = new Date(ms).toUTCString()
  const [, day = '', date = '', month = '', year = '', time = ''] =
    /^(\w+), (\d\d) (\w+) (\d{4}) ([\d:]+) GMT$/.exec(fixdate) ?? []
  const longDay = longDays.find(name => name.startsWith(day)) ?? ''
  return [
    fixdate,
    `${longDay}, ${date}-${month}-${year.slice(2)} ${time} GMT`,
    `${day} ${month} ${date.replace(/^0/, ' ')} ${time} ${year}`,
  ]
}

test('all three date forms are read as the same moment, at any current time', () => {
  const moments = { min: new Date('1971-01-01T00:00:00Z'), max: new Date('2199-12-31T00:00:00Z') }
  const yearMs = 365 * 86_400_000
  fc.assert(
    fc.property(
      fc.date({ ...moments, noInvalidDate: true }),
      fc.integer({ min: -49 * yearMs, max: 49 * yearMs }),
      (now, aheadMs) => {
        const ms = Math.floor((now.getTime() + aheadMs) / 1_000) * 1_000
        expect(formsOf(ms).map(text => httpDateMs(text, now.getTime()))).toEqual([ms, ms, ms])
      },
    ),
  )
})

test('the examples of RFC 9110 are the same moment', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z')
  for (const text of [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ]) {
    expect(httpDateMs(text, nowMs)).toBe(784_111_777_000)
  }
})
