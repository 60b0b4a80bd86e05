import { parseIp } from './ip-address.ts'

/** The addresses of this host from which requests leave, by family. A family without one is not used. */
export interface SourceAddresses {
  readonly 4: string | null
  readonly 6: string | null
}

/**
 * Reads one IPv4 address, one IPv6 address, or both.
 *
 * @throws Error that says what to write
 * @example
 * parseSourceAddresses('203.0.113.7,2001:db8::7') // { 4: '203.0.113.7', 6: '2001:db8::7' }
 */
export function parseSourceAddresses(text: string): SourceAddresses {
  const found: { 4: string | null; 6: string | null } = { 4: null, 6: null }
  for (const part of text.split(',')) {
    const address = part.trim()
    const parsed = parseIp(address)
    if (parsed === null || found[parsed.family] !== null) {
      throw new Error('write one IPv4 address, one IPv6 address, or both, separated by a comma')
    }
    found[parsed.family] = address
  }
  return found
}
