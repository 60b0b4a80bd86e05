/** How many bytes of a body are read, and how many of them are stored for the customer. */
export const answerLimits = { readBytes: 65_536, failureBytes: 8_192, successBytes: 512 }

const headersMax = 64
const headerLengthMax = 1_024
const cutMark = '…'

/** Copies headers in a size that can be stored. Cookies are secrets between the receiver and a browser, so it masks them. */
export function previewHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown: Record<string, string> = {}
  let count = 0
  for (const name in headers) {
    if (name === '__proto__') continue
    if (++count > headersMax) break
    shown[name] = name === 'set-cookie' ? '***' : cut(headers[name] ?? '')
  }
  return shown
}

/** Decodes the first `bytesMax` bytes. Invalid UTF-8 becomes U+FFFD. NUL is removed because PostgreSQL refuses it. */
export function previewBody(chunks: readonly Buffer[], bytesMax: number): string {
  const [first] = chunks
  if (first === undefined) return ''
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
  const text =
    bytes.length <= bytesMax ? bytes.toString('utf8') : decodeBeginning(bytes.subarray(0, bytesMax))
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

/** Drops a last character that was cut in two. */
function decodeBeginning(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
}

function cut(value: string): string {
  return value.length <= headerLengthMax ? value : value.slice(0, headerLengthMax) + cutMark
}
