import { formatIp, parseIp } from './ip-address.ts'

/**
 * The network that a client is counted by: its IPv4 address, or the /64 of its IPv6 address, because a provider gives a whole
 * /64 to one customer.
 *
 * @example
 * clientNetwork('2001:db8:1:2:3::4') // '2001:db8:1:2:0:0:0:0/64'
 */
export function clientNetwork(address: string): string {
  const ip = parseIp(address.replace(/^::ffff:(?=[\d.]+$)/i, ''))
  if (ip === null || ip.family === 4) return ip === null ? address : formatIp(ip)
  return `${formatIp({ family: 6, value: (ip.value >> 64n) << 64n })}/64`
}
