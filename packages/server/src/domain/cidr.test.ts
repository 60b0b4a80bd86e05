import { BlockList } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cidrContains, parseCidr, parseCidrs } from './cidr.ts'
import { formatIp, parseIp, type IpAddress } from './ip-address.ts'

const address = fc.oneof(
  fc.record({ family: fc.constant<4>(4), value: fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }) }),
  fc.record({ family: fc.constant<6>(6), value: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }) }),
)

const range = address.chain(({ family, value }) => {
  const bits = family === 4 ? 32 : 128
  return fc.integer({ min: 0, max: bits }).map(length => {
    const free = BigInt(bits - length)
    return { start: { family, value: (value >> free) << free }, length, free }
  })
})

test('a range contains the same addresses as a node:net BlockList', () => {
  fc.assert(
    fc.property(
      range,
      address,
      fc.bigInt({ min: -2n, max: 1n << 20n }),
      ({ start, length, free }, other, offset) => {
        const text = formatIp(start)
        const cidr = parseCidr(`${text}/${length}`)
        const list = new BlockList()
        list.addSubnet(text, length, start.family === 4 ? 'ipv4' : 'ipv6')
        const limit = (1n << (start.family === 4 ? 32n : 128n)) - 1n
        const near = [
          start.value + offset,
          start.value + (1n << free) - 1n,
          start.value + (1n << free),
          other.value,
        ]
        for (const value of near.filter(near => near >= 0n && near <= limit)) {
          const probe: IpAddress = { family: start.family, value }
          const inList = list.check(formatIp(probe), start.family === 4 ? 'ipv4' : 'ipv6')
          expect(cidrContains(cidr, probe), `${text}/${length} ${formatIp(probe)}`).toBe(inList)
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a range of one family contains no address of the other', () => {
  const loopback = parseIp('::1')
  if (loopback === null) throw new Error('::1')
  expect(cidrContains(parseCidr('0.0.0.0/0'), loopback)).toBe(false)
})

test.each([
  '10.0.0.0/33',
  '10.0.0/8',
  '10.0.0.0/',
  '10.0.0.0/08',
  '::/129',
  'example.com/8',
  '10.0.0.0/8/8',
  '300.0.0.0/8',
])('%s prevents startup with an error that names it', text => {
  expect(() => parseCidrs(`127.0.0.0/8,${text}`)).toThrow(`"${text}" is not an address range`)
})

test('a range with host bits set is rejected with a suggested correction', () => {
  expect(() => parseCidrs('10.1.2.3/8')).toThrow('"10.1.2.3/8" has bits beyond its prefix: write 10.0.0.0/8')
})

test('reads a list separated by commas or spaces, including single addresses', () => {
  expect(parseCidrs(' 127.0.0.0/8, ::1/128 10.0.0.7 ')).toEqual(['127.0.0.0/8', '::1/128', '10.0.0.7'])
  expect(parseCidrs('')).toEqual([])
})
