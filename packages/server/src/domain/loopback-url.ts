import { checkEndpointUrl, createUrlPolicy, type UrlVerdict } from './url-policy.ts'

/**
 * Whether the operator may permit this URL on the service's own machine: plain http to the literal address 127.0.0.1 or
 * [::1]. Names are refused, because they may resolve to another address later.
 *
 * @example
 * checkLoopbackUrl('http://127.0.0.1:8080/webhooks') // { ok: true, url: 'http://127.0.0.1:8080/webhooks' }
 */
export function checkLoopbackUrl(text: string): UrlVerdict {
  const verdict = checkEndpointUrl(text, loopbackPolicy)
  if (!verdict.ok) return verdict
  const { protocol, hostname } = new URL(verdict.url)
  if (protocol === 'http:' && loopbackHosts.includes(hostname)) return verdict
  return {
    ok: false,
    reason: 'The URL must begin with http://127.0.0.1 or http://[::1], with the port of the receiver.',
  }
}

/** Whether a URL has the permitted loopback origin: the same scheme, address and port. */
export function isAtLoopbackOrigin(url: string, permittedOrigin: string): boolean {
  const verdict = checkLoopbackUrl(url)
  return verdict.ok && new URL(verdict.url).origin === permittedOrigin
}

const loopbackHosts = ['127.0.0.1', '[::1]']

const loopbackPolicy = createUrlPolicy({
  allowCidrs: ['127.0.0.1/32', '::1/128'],
  allowHttp: true,
  ports: [],
})
