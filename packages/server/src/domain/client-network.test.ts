import { expect, test } from 'vitest'
import { clientNetwork } from './client-network.ts'

test('an IPv4 address counts on its own in any spelling, an IPv6 address by its /64', () => {
  expect(clientNetwork('192.0.2.7')).toBe('192.0.2.7')
  expect(clientNetwork('::ffff:192.0.2.7')).toBe('192.0.2.7')
  expect(clientNetwork('2001:db8:1:2:3::4')).toBe(clientNetwork('2001:db8:1:2:ffff::'))
  expect(clientNetwork('2001:db8:1:2::1')).not.toBe(clientNetwork('2001:db8:1:3::1'))
})
