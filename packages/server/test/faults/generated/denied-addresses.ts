import { BlockList } from 'node:net'
import fc from 'fast-check'
import { parseCidr } from '../../../src/domain/cidr.ts'
import { alwaysDenied, deniedIpv4, deniedIpv6 } from '../../../src/domain/denied-addresses.ts'
import { formatIp, type IpAddress } from '../../../src/domain/ip-address.ts'

/** The first and the last address of every denied range, and their neighbors. */
export function edges(): IpAddress[] {
  return [...alwaysDenied, ...deniedIpv4, ...deniedIpv6].flatMap(({ cidr }) => {
    const { family, prefix, shift } = parseCidr(cidr)
    const first = prefix << shift
    const last = first + (1n << shift) - 1n
    const end = (1n << (family === 4 ? 32n : 128n)) - 1n
    return [first, last, first - 1n, last + 1n]
      .filter(value => value >= 0n && value <= end)
      .map(value => ({ family, value }))
  })
}

/** Any address, mostly within or next to a denied range. */
export function addresses(): fc.Arbitrary<IpAddress> {
  const near = fc.tuple(fc.constantFrom(...edges()), fc.bigInt({ min: -300n, max: 300n })).map(
    ([{ family, value }, by]): IpAddress => ({
      family,
      value: BigInt.asUintN(family === 4 ? 32 : 128, value + by),
    }),
  )
  const any4 = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }).map((value): IpAddress => ({ family: 4, value }))
  const any6 = fc
    .bigInt({ min: 0n, max: (1n << 128n) - 1n })
    .map((value): IpAddress => ({ family: 6, value }))
  return fc.oneof({ weight: 4, arbitrary: near }, any4, any6)
}

/** Decides like the guard, but with Node's own parsing of addresses. */
export function createOracle(): (address: IpAddress) => boolean {
  // one for each family, because a BlockList also matches an IPv4 address with IPv6 ranges of its mapped form
  const denied = { ipv4: new BlockList(), ipv6: new BlockList() }
  const add = (cidr: string): void => {
    const [start = '', length] = cidr.split('/')
    const family = start.includes(':') ? 'ipv6' : 'ipv4'
    denied[family].addSubnet(start, Number(length), family)
  }
  for (const { cidr } of [...alwaysDenied, ...deniedIpv4, ...deniedIpv6]) add(cidr)
  // everything except 2000::/3
  for (const cidr of ['::/3', '4000::/2', '8000::/1']) add(cidr)
  return address => {
    const family = address.family === 4 ? 'ipv4' : 'ipv6'
    return denied[family].check(formatIp(address), family)
  }
}
