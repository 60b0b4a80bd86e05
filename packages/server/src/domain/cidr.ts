import { formatIp, parseIp, type IpAddress } from './ip-address.ts'

/** A range of IPv4 or IPv6 addresses. */
export interface Cidr {
  family: 4 | 6
  /** The address bits that the prefix fixes, shifted down. */
  prefix: bigint
  /** How far to shift an address down before comparing. */
  shift: bigint
}

/**
 * Parses `10.0.0.0/8` or a single address.
 *
 * @throws Error with a message for the operator if the text is neither
 *
 * @example
 * cidrContains(parseCidr('10.0.0.0/8'), { family: 4, value: 0x0a000001n }) // true
 */
export function parseCidr(text: string): Cidr {
  const slash = text.indexOf('/')
  const address = parseIp(slash === -1 ? text : text.slice(0, slash))
  if (address === null)
    throw new Error(`"${text}" is not an address range: write it like 10.0.0.0/8 or fd00::/8`)
  const bits = address.family === 4 ? 32 : 128
  const length = slash === -1 ? String(bits) : text.slice(slash + 1)
  if (!/^(0|[1-9][0-9]{0,2})$/.test(length) || Number(length) > bits) {
    throw new Error(`"${text}" is not an address range: write a number from 0 to ${bits} after the slash`)
  }
  const shift = BigInt(bits - Number(length))
  const prefix = address.value >> shift
  if (prefix << shift !== address.value) {
    const start = formatIp({ family: address.family, value: prefix << shift })
    throw new Error(`"${text}" has bits beyond its prefix: write ${start}/${length}, or only the address`)
  }
  return { family: address.family, prefix, shift }
}

/** Splits and checks ranges separated by commas or spaces. Empty text has no range. Throws as `parseCidr` does. */
export function parseCidrs(text: string): string[] {
  const ranges = text.split(/[\s,]+/).filter(range => range !== '')
  for (const range of ranges) parseCidr(range)
  return ranges
}

export function cidrContains(cidr: Cidr, address: IpAddress): boolean {
  return cidr.family === address.family && address.value >> cidr.shift === cidr.prefix
}
