import { isIPv4, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatIp, parseIp } from './ip-address.ts'

const nearlyIp = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4Extended(),
  fc.stringMatching(/^[0-9a-f:.]{0,24}$/),
  fc
    .array(fc.constantFrom('0', '1', '255', '256', '01', 'ffff', 'g', '::', ':', '.', '%', '127.0.0.1'))
    .map(parts => parts.join('')),
)

test('reads exactly the spellings that node:net accepts as an address', () => {
  fc.assert(
    fc.property(nearlyIp, text => {
      const family = isIPv4(text) ? 4 : isIPv6(text) && !text.includes('%') ? 6 : undefined
      expect(parseIp(text)?.family, text).toBe(family)
    }),
    { numRuns: 5_000 },
  )
})

test('an address formatted in full is parsed as the same address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), text => {
      const address = parseIp(text)
      if (address === null) throw new Error(text)
      expect(parseIp(formatIp(address))).toEqual(address)
    }),
  )
})

test.each([
  ['127.0.0.1', 0x7f000001n],
  ['::1', 1n],
  ['::ffff:127.0.0.1', 0xffff_7f00_0001n],
  ['2001:db8::', 0x20010db8n << 96n],
])('%s has the value of its bytes', (text, value) => {
  expect(parseIp(text)?.value).toBe(value)
})

test.each([
  '',
  '127.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '1.2.3.4.5',
  '[::1]',
  'fe80::1%eth0',
  '1::2::3',
  ':::',
  ' ::1',
])('%j is not an address', text => {
  expect(parseIp(text)).toBeNull()
})
