/** What a page may do besides what every page may. */
export interface PageAllowances {
  /** The origins whose pages may show it in a frame. */
  readonly framedBy: readonly string[]
  /** Of a provider's logo. */
  readonly imageOrigin: string | null
  /** Whether a script may add an empty style element and fill it rule by rule, as the API reference does. */
  readonly emptyStyles?: true
}

export const noAllowances: PageAllowances = { framedBy: [], imageOrigin: null }

/** The headers of every HTML answer: scripts, styles and requests of our own only, in nobody's frame. */
export function pageHeaders(
  allowances: PageAllowances,
  { isSecure }: { isSecure: boolean },
): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': contentSecurityPolicy(allowances),
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(allowances.framedBy.length === 0 && { 'cross-origin-opener-policy': 'same-origin' }),
    ...(isSecure && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

/** The hash of no bytes: it allows a style element without content, and none that markup could bring. */
const hashOfNothing = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"

function contentSecurityPolicy({ framedBy, imageOrigin, emptyStyles }: PageAllowances): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${emptyStyles === true ? ` ${hashOfNothing}` : ''}`,
    `img-src 'self'${imageOrigin === null ? '' : ` ${imageOrigin}`}`,
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(' ')}`,
  ].join('; ')
}
