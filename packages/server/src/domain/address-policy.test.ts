import { BlockList } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAddressPolicy } from './address-policy.ts'
import { cidrContains, parseCidr } from './cidr.ts'
import { alwaysDenied, deniedIpv4, deniedIpv6, publicIpv6 } from './denied-addresses.ts'
import { formatIp, type IpAddress } from './ip-address.ts'
import { ipv4InIpv6 } from '../../test/domain/ipv4-in-ipv6.ts'

const policy = createAddressPolicy([])
const ranges = [...alwaysDenied, ...deniedIpv4, ...deniedIpv6]

function inDeniedRange(address: IpAddress): boolean {
  const outside = address.family === 6 && !cidrContains(parseCidr(publicIpv6), address)
  return outside || ranges.some(({ cidr }) => cidrContains(parseCidr(cidr), address))
}

describe.each(ranges)('$cidr ($why)', ({ cidr }) => {
  const { family, prefix, shift } = parseCidr(cidr)
  const first = prefix << shift
  const last = first + (1n << shift) - 1n
  const end = (1n << (family === 4 ? 32n : 128n)) - 1n

  test('is rejected from its first to its last address', () => {
    for (const value of [first, last, (first + last) / 2n]) {
      expect(policy.check(formatIp({ family, value })).allowed).toBe(false)
    }
  })

  test('does not extend beyond its bounds unless another range continues', () => {
    for (const value of [first - 1n, last + 1n].filter(value => value >= 0n && value <= end)) {
      const address: IpAddress = { family, value }
      expect(policy.check(formatIp(address)).allowed, formatIp(address)).toBe(!inDeniedRange(address))
    }
  })

  if (family === 4) {
    test('is rejected in every IPv6 spelling of its addresses', () => {
      for (const value of [first, last]) {
        for (const spelling of ipv4InIpv6(value)) expect(policy.check(spelling).allowed, spelling).toBe(false)
      }
    })
  }
})

test('mapped, translated, NAT64, 6to4 and Teredo addresses are rejected even for public IPv4', () => {
  for (const spelling of ipv4InIpv6(0x08080808n)) expect(policy.check(spelling).allowed, spelling).toBe(false)
})

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.0',
  '2606:4700::1111',
  '2a00:1450::200e',
])('%s is public', ip => {
  expect(policy.check(ip)).toEqual({ allowed: true })
})

test.each([
  '',
  'localhost',
  '127.1',
  '0x7f.0.0.1',
  '::1%lo',
  'fe80::1%eth0',
  '[::1]',
  '4000::1',
  '200::1',
  '::7f00:1',
  '100:0:0:1::1',
])('%j is rejected', ip => {
  expect(policy.check(ip).allowed).toBe(false)
})

describe('a range allowed by the operator', () => {
  const opened = createAddressPolicy(['127.0.0.0/8', 'fd00::/8', '::ffff:0:0/96'])

  test('is allowed, and no other private address is', () => {
    for (const ip of ['127.0.0.1', 'fd12::1', '::ffff:10.0.0.1'])
      expect(opened.check(ip).allowed, ip).toBe(true)
    for (const ip of ['10.0.0.1', '::1', '::10.0.0.1', 'fc00::1', '64:ff9b::7f00:1'])
      expect(opened.check(ip).allowed, ip).toBe(false)
  })

  test('is distinguished from public addresses', () => {
    expect([
      opened.isAllowedByOperator('127.0.0.1'),
      opened.isAllowedByOperator('8.8.8.8'),
      opened.isAllowedByOperator('169.254.169.254'),
    ]).toEqual([true, false, false])
    expect([opened.operatorAllowsAny, policy.operatorAllowsAny]).toEqual([true, false])
  })

  test('never includes link-local or cloud metadata addresses, in any spelling', () => {
    const everything = createAddressPolicy(['0.0.0.0/0', '::/0'])
    expect(everything.check('10.0.0.1').allowed).toBe(true)
    expect(everything.check('::ffff:10.0.0.1').allowed).toBe(true)
    const metadata = [0xa9fea9fen, 0xa9feaa02n, 0x646464c8n, 0xa83f8110n, 0xc00000c0n]
    const ips = ['fe80::1', 'fe80::a9fe:a9fe', 'fd00:ec2::254', 'fd20:ce::254', '64:ff9b:1:a9fe:a9:fe00::']
    ips.push('fd00:c1::a9fe:a9fe', 'fd00:100::100:200', 'fd00:a9fe:a9fe::1', 'fd00:42::42')
    for (const value of metadata) ips.push(formatIp({ family: 4, value }), ...ipv4InIpv6(value))
    for (const ip of ips) {
      expect(everything.check(ip).allowed, ip).toBe(false)
      expect(everything.isAllowedByOperator(ip), ip).toBe(false)
    }
  })
})

test('a range denied by the operator is rejected in every spelling, even if the operator also allows it', () => {
  const closed = createAddressPolicy(
    ['10.0.0.0/8', '203.0.113.0/24'],
    ['10.1.0.0/16', '8.8.8.0/24', '2606:4700::/32'],
  )
  for (const ip of ['10.1.2.3', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', ...ipv4InIpv6(0x08080808n)]) {
    expect(closed.check(ip).allowed, ip).toBe(false)
    expect(closed.isAllowedByOperator(ip), ip).toBe(false)
  }
  for (const ip of ['10.2.0.1', '8.8.4.4', '2001:4860::8888']) expect(closed.check(ip).allowed, ip).toBe(true)
})

test('the policy agrees with a node:net BlockList of the same ranges', () => {
  const list = new BlockList()
  for (const { cidr } of [...alwaysDenied, ...deniedIpv4]) {
    const [start = '', length] = cidr.split('/')
    if (!start.includes(':')) list.addSubnet(start, Number(length), 'ipv4')
  }
  fc.assert(
    fc.property(fc.ipV4(), ip => {
      expect(policy.check(ip).allowed, ip).toBe(!list.check(ip, 'ipv4'))
    }),
    { numRuns: 5_000 },
  )
})

test('the policy never throws and never allows text that is not an address', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      expect(policy.check(text).allowed).toBe(false)
    }),
  )
})
