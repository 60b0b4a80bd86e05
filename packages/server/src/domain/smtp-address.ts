/**
 * Writes an address for SMTP and header fields. It quotes a local part whose dots are not between words, because some carriers
 * assign such addresses.
 *
 * @example
 * smtpAddress('a..b.@example.jp') // '"a..b."@example.jp'
 */
export function smtpAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  if (local.startsWith('"') || !/^\.|\.\.|\.$/.test(local)) return address
  return `"${local}"${address.slice(at)}`
}
