import { expect, test } from 'vitest'
import { surely } from '../src/surely.ts'
import { timestampInput } from '../src/timestamp.ts'

test.each([
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2016-12-31T23:59:60.250Z', '2017-01-01T00:00:00.250Z'],
  ['2015-06-30T23:59:60Z', '2015-07-01T00:00:00.000Z'],
  ['1990-12-31T15:59:60-08:00', '1991-01-01T00:00:00.000Z'],
  ['2017-01-01T05:29:60+05:30', '2017-01-01T00:00:00.000Z'],
  ['2016-12-31t23:59:60z', '2017-01-01T00:00:00.000Z'],
])('the leap second %s is read as the second after it', (text, moment) => {
  expect(timestampInput.parse(text)).toBe(moment)
})

test.each(['2026-11-21t04:00:01Z', '2026-11-21T04:00:01z', '2026-11-21t04:00:01.120+02:00'])(
  '%s is accepted despite its lower-case letters',
  text => {
    expect(timestampInput.parse(text)).toBe(text.toUpperCase())
  },
)

test.each([
  '2026-11-21T04:00:01Z',
  '2026-11-21T04:00:01.120Z',
  '2026-11-21T04:00:01.1201234567+23:59',
  '2024-02-29T00:00:00-00:00',
])('%s is kept as written', text => {
  expect(timestampInput.parse(text)).toBe(text)
  expect(surely(timestampInput)(text)).toBe(true)
})

test.each([
  '2026-11-21T04:00:60Z',
  '2026-11-30T23:59:60Z',
  '2016-12-31T23:59:60+01:00',
  '2016-12-31T23:59:61Z',
  '2016-12-31T23:58:60Z',
  '2026-02-29T00:00:00Z',
  '2026-11-21 04:00:01Z',
  '2026-11-21T04:00:01',
  '2026-11-21T24:00:00Z',
  '2026-11-21T04:00:01+24:00',
  '1969-12-31T23:59:59Z',
  '9999-01-01T00:00:00Z',
  '9998-12-31T23:59:60Z',
])('%s is rejected as a timestamp', text => {
  expect(timestampInput.safeParse(text).success).toBe(false)
  expect(surely(timestampInput)(text)).toBe(false)
})

test('a timestamp that has to be rewritten is left to the schema', () => {
  for (const text of ['2016-12-31T23:59:60Z', '2026-11-21t04:00:01Z', '2026-11-21T04:00:01z']) {
    expect(surely(timestampInput)(text)).toBe(false)
  }
})
