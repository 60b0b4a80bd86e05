import { expect, test } from 'vitest'
import { parseMoment } from './moment.ts'

test.each([
  ['2026-11-21T04:00:00Z', '2026-11-21T04:00:00Z'],
  ['2026-11-21t04:00:00z', '2026-11-21T04:00:00Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['90m', '2026-11-20T22:30:00.000Z'],
])('the command line accepts %s as a time', (text, moment) => {
  expect(parseMoment('--since', text, Date.parse('2026-11-21T00:00:00Z'))).toBe(moment)
})

test('an invalid time is rejected with the name of its option', () => {
  expect(() => parseMoment('--since', 'yesterday')).toThrow('--since must be a time')
})
