const countMax = 20
const nameLengthMax = 128
const valueLengthMax = 1024

/**
 * Explains what is wrong with the headers that a customer adds to every request, or returns null.
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
    const folded = foldHeaderName(name)
    if (seen.has(folded)) return `The header ${name} appears twice. \`_\` and \`-\` count as the same.`
    seen.add(folded)
    const reason = checkRequestHeader(name, value)
    if (reason !== null) return reason
  }
  return null
}

/** The prefix of Posthorn's own headers, unless the operator sets another one. */
export const defaultHeaderPrefix = 'X-Service'

/** Checks one header. @param headerPrefix the operator's prefix, which customers cannot use either */
export function checkRequestHeader(
  name: string,
  value: string,
  headerPrefix = defaultHeaderPrefix,
): string | null {
  if (name.length > nameLengthMax || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    return `A header name consists of letters, digits and hyphens, at most ${nameLengthMax}.`
  }
  const lowerCase = name.toLowerCase()
  const folded = foldHeaderName(name)
  const prefixes = [...reservedPrefixes, `${foldHeaderName(headerPrefix)}-`]
  if (reserved.has(folded) || prefixes.some(prefix => folded.startsWith(prefix))) {
    return `The header ${lowerCase} cannot be set: it is reserved for the connection, the service or proxies. Use another name.`
  }
  if (value.length > valueLengthMax || !/^[\x20-\x7e]*$/.test(value)) {
    return `The value of ${lowerCase} must be printable ASCII, at most ${valueLengthMax} characters.`
  }
  if (value !== value.trim()) return `The value of ${lowerCase} must not begin or end with a space.`
  return null
}

/** Folds a header name as the most lenient servers do: CGI and many frameworks treat `_`, and some any symbol, like `-`. */
export function foldHeaderName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-')
}

/**
 * Folded names. These headers could change where a request ends, what its body is, or who a proxy, a gateway or a framework
 * thinks the sender is.
 */
const reserved = new Set([
  // the message and the connection
  'host',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'expect',
  'range',
  'cookie',
  'cookie2',
  'user-agent',
  'accept-encoding',
  'early-data',
  'max-forwards',
  'via',
  'cdn-loop',
  'proxy',
  'origin',
  'referer',
  // these override the method, URL, host or scheme
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-rewrite-url',
  'x-host',
  'x-http-host-override',
  'x-scheme',
  'x-url-scheme',
  'front-end-https',
  'x-https',
  'x-sendfile-type',
  // who sent it
  'forwarded',
  'x-forwarded',
  'client-ip',
  'x-client-ip',
  'true-client-ip',
  'cluster-client-ip',
  'x-cluster-client-ip',
  'x-originating-ip',
  'fly-client-ip',
  'do-connecting-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-pseudo-ipv4',
  'cf-ipcountry',
  'cf-visitor',
  'cf-ray',
  'cf-worker',
  'cf-access-jwt-assertion',
  'cf-access-authenticated-user-email',
  'client-cert',
  'client-cert-chain',
  'x-client-verify',
  'x-client-dn',
  'x-anonymous-consumer',
  'x-credential-identifier',
  // cloud metadata services require these, to detect forged requests
  'metadata',
  'metadata-flavor',
])

const reservedPrefixes = [
  'content-',
  'proxy-',
  'sec-',
  'x-service-',
  'x-accel-',
  'x-amzn-',
  'x-appengine-',
  'x-arr-',
  'x-auth-request-',
  'x-authenticated-',
  'x-authentik-',
  'x-aws-ec2-metadata-',
  'x-azure-',
  'x-client-cert',
  'x-consumer-',
  'x-envoy-',
  'x-forwarded-',
  'x-goog-authenticated-user-',
  'x-goog-iap-',
  'x-google-metadata-',
  'x-middleware-',
  'x-ms-client-principal',
  'x-nf-',
  'x-original-',
  'x-pomerium-',
  'x-proxy',
  'x-real-',
  'x-remote-',
  'x-ssl-',
  'x-vercel-forwarded-',
  'x-vercel-ip-',
  'x-vercel-proxied-',
  'x-webauth-',
  'akamai-',
  'fastly-client-',
  'fastly-ssl',
  'remote-',
  'ssl-',
  'tailscale-',
  'wl-proxy-',
  // Standard Webhooks
  'webhook-',
]
