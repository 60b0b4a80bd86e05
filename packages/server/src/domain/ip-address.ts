/** An address as a number, so that a range check is a comparison. */
export interface IpAddress {
  family: 4 | 6
  value: bigint
}

/**
 * Parses the strict spellings that `node:net` accepts; null for others, including zone ids. The library `ipaddr.js` accepts
 * more, and reads `::1.2.3.4` as `::ffff:1.2.3.4`, which an operator may allow.
 */
export function parseIp(text: string): IpAddress | null {
  if (text.includes(':')) {
    const value = parseIpv6(text)
    return value === null ? null : { family: 6, value }
  }
  const value = parseIpv4(text)
  return value === null ? null : { family: 4, value }
}

/** Writes an address in full, without `::`. */
export function formatIp(address: IpAddress): string {
  if (address.family === 4) return groups(address.value, 4, 8n).join('.')
  return groups(address.value, 8, 16n)
    .map(group => group.toString(16))
    .join(':')
}

function groups(value: bigint, count: number, bits: bigint): bigint[] {
  const mask = (1n << bits) - 1n
  return Array.from({ length: count }, (_, index) => (value >> (BigInt(count - 1 - index) * bits)) & mask)
}

function parseIpv4(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4) return null
  let value = 0n
  for (const part of parts) {
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return null
    value = (value << 8n) | BigInt(part)
  }
  return value
}

function parseIpv6(text: string): bigint | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const head = parseGroups(halves[0] ?? '', halves.length === 1)
  const tail = parseGroups(halves[1] ?? '', true)
  if (head === null || tail === null) return null
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null
  const all = [...head, ...Array.from({ length: missing }, () => 0), ...tail]
  return all.reduce((value, group) => (value << 16n) | BigInt(group), 0n)
}

/** The 16-bit groups on one side of `::`. An address may end in dotted IPv4. */
function parseGroups(text: string, mayEndInIpv4: boolean): number[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const found: number[] = []
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      found.push(Number.parseInt(part, 16))
      continue
    }
    const ipv4 = mayEndInIpv4 && index === parts.length - 1 ? parseIpv4(part) : null
    if (ipv4 === null) return null
    found.push(Number(ipv4 >> 16n), Number(ipv4 & 0xffffn))
  }
  return found
}
