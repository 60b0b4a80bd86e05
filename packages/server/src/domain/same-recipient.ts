import { foldedAddress } from './folded-address.ts'

/**
 * Whether a report is about this recipient. Some mail servers change the case of addresses, encode them (`+2B`, RFC 3461), or
 * leave out their own domain.
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
