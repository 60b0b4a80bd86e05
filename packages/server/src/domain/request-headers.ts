const countMax = 20
const nameLengthMax = 128
const valueLengthMax = 1024

/**
 * Says what is wrong with the headers that a customer wants on every request, or null.
 *
 * @example
 * checkRequestHeaders({ authorization: 'Bearer 123' }) // null
 * checkRequestHeaders({ host: 'example.com' }) // 'The header host cannot be set: …'
 */
export function checkRequestHeaders(headers: Readonly<Record<string, string>>): string | null {
  const entries = Object.entries(headers)
  if (entries.length > countMax) return `At most ${countMax} headers can be set.`
  const seen = new Set<string>()
  for (const [name, value] of entries) {
    const lowerCase = name.toLowerCase()
    if (seen.has(lowerCase)) return `The header ${lowerCase} is named twice.`
    seen.add(lowerCase)
    const reason = checkRequestHeader(name, value)
    if (reason !== null) return reason
  }
  return null
}

/** The same for one header. */
export function checkRequestHeader(name: string, value: string): string | null {
  if (name.length > nameLengthMax || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    return `A header name consists of letters, digits and hyphens, at most ${nameLengthMax}.`
  }
  const lowerCase = name.toLowerCase()
  if (reserved.has(lowerCase) || reservedPrefixes.some(prefix => lowerCase.startsWith(prefix))) {
    return `The header ${lowerCase} cannot be set: it belongs to the connection or to the service.`
  }
  if (value.length > valueLengthMax || !/^[\x20-\x7e]*$/.test(value)) {
    return `The value of ${lowerCase} must be printable ASCII, at most ${valueLengthMax} characters.`
  }
  if (value !== value.trim()) return `The value of ${lowerCase} must not begin or end with a space.`
  return null
}

/** Who sets one of these decides where a request ends, who sent it, or what its body is. */
const reserved = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'expect',
  'range',
  'forwarded',
  'via',
  'x-real-ip',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'cookie',
  'cookie2',
  'user-agent',
  'accept-encoding',
  // what cloud metadata services ask for as proof that no forged request is behind it
  'metadata',
  'metadata-flavor',
])

const reservedPrefixes = ['proxy-', 'x-forwarded-', 'x-service-', 'x-aws-ec2-metadata-', 'x-google-metadata-']
