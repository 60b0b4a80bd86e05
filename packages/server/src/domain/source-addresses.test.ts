import { expect, test } from 'vitest'
import { parseSourceAddresses } from './source-addresses.ts'

test('a source is at most one address of each family', () => {
  expect(parseSourceAddresses('203.0.113.7')).toEqual({ 4: '203.0.113.7', 6: null })
  expect(parseSourceAddresses('2001:db8::7, 203.0.113.7')).toEqual({ 4: '203.0.113.7', 6: '2001:db8::7' })
  for (const text of ['', 'eth0', '203.0.113.7,203.0.113.8', '203.0.113.0/24', '203.0.113.7:80']) {
    expect(() => parseSourceAddresses(text)).toThrow('write one IPv4 address, one IPv6 address, or both')
  }
})
