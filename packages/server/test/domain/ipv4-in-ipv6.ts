import { formatIp } from '../../src/domain/ip-address.ts'

/** One IPv4 address in all forms in which IPv6 can contain it. */
export function ipv4InIpv6(ipv4: bigint): string[] {
  const dotted = formatIp({ family: 4, value: ipv4 })
  const hex = (value: bigint) => `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
  return [
    `::ffff:${dotted}`,
    `::FFFF:${hex(ipv4)}`,
    `0:0:0:0:0:ffff:${dotted}`,
    `::${dotted}`,
    `::ffff:0:${dotted}`,
    `64:ff9b::${dotted}`,
    `64:ff9b:1::${dotted}`,
    `2002:${hex(ipv4)}::1`,
    `2001:0:${hex(ipv4)}::1`,
    `2001::${hex(ipv4 ^ 0xffffffffn)}`,
  ]
}
