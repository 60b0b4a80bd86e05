import { createHash } from 'node:crypto'

/** What a page may do in addition to the default. */
export interface PageAllowances {
  /** The origins of the pages that may show it in a frame. */
  readonly framedBy: readonly string[]
  /** The origin of the portal's logo. */
  readonly imageOrigin: string | null
  /** Lets scripts add an empty style element and insert rules, as the API reference does. */
  readonly emptyStyles?: true
}

export const noAllowances: PageAllowances = { framedBy: [], imageOrigin: null }

/** The headers of every HTML page: only our own scripts, styles and requests, and no framing. */
export function pageHeaders(
  allowances: PageAllowances,
  { isSecure }: { isSecure: boolean },
): Record<string, string> {
  return {
    ...commonHeaders(isSecure),
    'cache-control': 'no-cache',
    'content-security-policy': contentSecurityPolicy(allowances),
    ...(allowances.framedBy.length === 0 && { 'cross-origin-opener-policy': 'same-origin' }),
  }
}

/** The headers of a page that makes no requests: no scripts, only this style, and pictures that are part of the page. */
export function closedPageHeaders(
  style: string,
  { isSecure }: { isSecure: boolean },
): Record<string, string> {
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    ...commonHeaders(isSecure),
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      'img-src data:',
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
  }
}

function commonHeaders(isSecure: boolean): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(isSecure && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

/** The hash of zero bytes allows only an empty style element, so injected styles stay blocked. */
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
