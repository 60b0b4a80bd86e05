/** An HTTP proxy that opens tunnels. */
export interface ProxyAddress {
  readonly host: string
  readonly port: number
  /** The value of `Proxy-Authorization`; null without a user. A secret. */
  readonly authorization: string | null
}

/**
 * Reads `http://host:port` or `http://user:password@host:port`.
 *
 * @throws Error that says what to write, without the password
 */
export function parseProxyUrl(text: string): ProxyAddress {
  const url = URL.parse(text)
  const isPlain = url !== null && url.pathname === '/' && url.search === '' && url.hash === ''
  if (url?.protocol !== 'http:' || !isPlain || url.hostname === '') {
    throw new Error('is not a proxy: write http://host:port or http://user:password@host:port')
  }
  const { hostname, port, username, password } = url
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port: port === '' ? 80 : Number(port),
    authorization: username === '' ? null : `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`,
  }
}
