/**
 * An address as SMTP and header fields write it: a local part that is no series of words with single dots between
 * them is quoted. Some carriers hand out such names.
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
