/** More than any field that is read here needs. */
const fieldBytesMax = 8_192
/** The longest line of RFC 5322. */
const addressBytesMax = 998

/**
 * Shortens the header of a mail, so that parsing it takes little time. Each field is cut at 8 KiB. Address fields decide
 * nothing here, and the parser builds an object for each address, so only 998 bytes of the first one stay.
 */
export function withBoundedHeader(mail: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = []
  const seen = new Set<string>()
  let bytesLeft = 0
  let at = 0
  while (at < mail.length) {
    const newline = mail.indexOf(0x0a, at)
    const end = newline < 0 ? mail.length : newline + 1
    const line = mail.subarray(at, end)
    if (isEmpty(line)) break
    if (line[0] !== 0x20 && line[0] !== 0x09) bytesLeft = bytesFor(line, seen)
    if (line.length <= bytesLeft) lines.push(line)
    else if (bytesLeft > 0) lines.push(line.subarray(0, bytesLeft), lineBreak)
    bytesLeft -= Math.min(bytesLeft, line.length)
    at = end
  }
  return Buffer.concat([...lines, mail.subarray(at)])
}

const lineBreak = Buffer.from('\r\n')
const addressFields = new Set([
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'bcc',
  'delivered-to',
  'return-path',
])

function bytesFor(line: Uint8Array, seen: Set<string>): number {
  const [, name] = /^([\w-]{1,12})[ \t]*:/.exec(Buffer.from(line.subarray(0, 64)).toString('latin1')) ?? []
  const field = name?.toLowerCase() ?? ''
  if (!addressFields.has(field)) return fieldBytesMax
  if (seen.has(field)) return 0
  seen.add(field)
  return addressBytesMax
}

function isEmpty(line: Uint8Array): boolean {
  return line[0] === 0x0a || (line[0] === 0x0d && (line.length === 1 || line[1] === 0x0a))
}
