import { cidrContains, parseCidr, type Cidr } from './cidr.ts'
import {
  alwaysDenied,
  deniedIpv4,
  deniedIpv6,
  embeddedIpv4,
  publicIpv6,
  type EmbeddedIpv4,
} from './denied-addresses.ts'
import { parseIp, type IpAddress } from './ip-address.ts'

/** Which addresses we may connect to. It checks literal addresses, every DNS answer, and the peer of the socket. */
export interface AddressPolicy {
  /** Allows public addresses and those that the operator allows. Refuses text that is not an address. */
  check(ip: string): AddressVerdict
  /** Whether the operator allows this address explicitly. It does not count that the address is public. */
  isAllowedByOperator(ip: string): boolean
  /** Whether the operator allows any address range. */
  readonly operatorAllowsAny: boolean
}

export type AddressVerdict = { allowed: true } | { allowed: false; reason: string }

/**
 * Refuses special-purpose addresses unless `allowCidrs` covers them. Always refuses link-local and cloud metadata addresses,
 * and those in `denyCidrs`.
 *
 * @example
 * createAddressPolicy(['10.20.0.0/16']).check('10.20.0.7') // { allowed: true }
 */
export function createAddressPolicy(
  allowCidrs: readonly string[],
  denyCidrs: readonly string[] = [],
): AddressPolicy {
  const allowed = allowCidrs.map(parseCidr)
  const byOperator = denyCidrs.map(cidr => ({ cidr, why: 'denied by the operator' }))
  const never = readRanges([...alwaysDenied, ...byOperator])
  const denied = { 4: readRanges(deniedIpv4), 6: readRanges(deniedIpv6) }
  const publicRange = parseCidr(publicIpv6)
  const carriers = embeddedIpv4.map(entry => ({ ...entry, range: parseCidr(entry.cidr) }))

  function neverAllowed(address: IpAddress): string | null {
    const why = whyDenied(never, address)
    if (why !== null || address.family === 4) return why
    for (const carrier of carriers) {
      if (!cidrContains(carrier.range, address)) continue
      const inside = whyDenied(never, { family: 4, value: readEmbedded(carrier, address.value) })
      if (inside !== null) return inside
    }
    return null
  }

  function refusal(address: IpAddress): string | null {
    const always = neverAllowed(address)
    if (always !== null) return always
    if (containedIn(allowed, address)) return null
    if (address.family === 6 && !cidrContains(publicRange, address)) return 'not a public IPv6 address'
    return whyDenied(denied[address.family], address)
  }

  return {
    operatorAllowsAny: allowed.length > 0,
    isAllowedByOperator(ip) {
      const address = parseIp(ip)
      return address !== null && containedIn(allowed, address) && neverAllowed(address) === null
    },
    check(ip) {
      const address = parseIp(ip)
      const reason = address === null ? 'not an address' : refusal(address)
      return reason === null ? { allowed: true } : { allowed: false, reason }
    },
  }
}

interface Range {
  cidr: Cidr
  why: string
}

function readRanges(ranges: readonly { cidr: string; why: string }[]): Range[] {
  return ranges.map(({ cidr, why }) => ({ cidr: parseCidr(cidr), why }))
}

function whyDenied(ranges: readonly Range[], address: IpAddress): string | null {
  return ranges.find(({ cidr }) => cidrContains(cidr, address))?.why ?? null
}

function readEmbedded({ shift, form }: EmbeddedIpv4, address: bigint): bigint {
  const bits = form === 'split' ? ((address >> 64n) << 56n) | (address & ((1n << 56n) - 1n)) : address
  const found = (bits >> shift) & 0xffffffffn
  return form === 'inverted' ? found ^ 0xffffffffn : found
}

function containedIn(ranges: readonly Cidr[], address: IpAddress): boolean {
  return ranges.some(cidr => cidrContains(cidr, address))
}
