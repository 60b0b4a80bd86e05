import { foldedAddress } from './folded-address.ts'

/**
 * Whether a report means this recipient. Some mail servers write addresses in another case, encode them (`+2B` of RFC
 * 3461), or name a mailbox of their own without its domain.
 */
export function isSameRecipient(named: string, recipient: string): boolean {
  const address = foldedAddress(recipient)
  const local = address.slice(0, address.lastIndexOf('@'))
  const decoded = named.replace(/\+([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return [named, decoded].some(one =>
    one.includes('@') ? foldedAddress(one) === address : one.toLowerCase() === local,
  )
}
