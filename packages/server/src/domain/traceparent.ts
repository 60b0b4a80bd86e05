/**
 * Reads a `traceparent` header (W3C Trace Context, §3.2). It returns the form of version 00, also for later versions, whose
 * first four fields mean the same; null if the header is missing or malformed, so the trace starts here.
 *
 * @example
 * readTraceparent('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')
 */
export function readTraceparent(header: string | undefined): string | null {
  if (header === undefined) return null
  const [, version, traceId, spanId, flags = '', more] = form.exec(header) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (traceId === noTrace || spanId === noSpan) return null
  // this version defines only one flag: the caller records the trace
  const sampled = Number.parseInt(flags, 16) & 1
  return `00-${traceId}-${spanId}-0${sampled}`
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const noTrace = '0'.repeat(32)
const noSpan = '0'.repeat(16)

/** The 25 bytes that the database keeps: trace id, span id and flags. */
export function traceparentBytes(traceparent: string): Buffer {
  return Buffer.from(traceparent.slice(3).replaceAll('-', ''), 'hex')
}

/** The `traceparent` of the bytes that the database keeps. */
export function traceparentOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null
  const hex = Buffer.from(bytes).toString('hex')
  return `00-${hex.slice(0, 32)}-${hex.slice(32, 48)}-${hex.slice(48)}`
}
