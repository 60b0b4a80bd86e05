/** A proxy that connects to receivers for us. */
export interface ProxyAddress {
  readonly protocol: 'http' | 'socks5'
  readonly host: string
  readonly port: number
  /** Null without a user. The password is a secret. */
  readonly login: { readonly user: string; readonly password: string } | null
}

const defaultPorts = { http: 80, socks5: 1080 }
/** RFC 1929 §2 has one byte for each length. */
const socksTextBytesMax = 255

/**
 * Reads `http://host:port` or `socks5://host:port`, with `user:password@` before the host if the proxy needs it.
 *
 * @throws Error that says what to write, without the password
 */
export function parseProxyUrl(text: string): ProxyAddress {
  const url = URL.parse(text)
  const protocol = url?.protocol.slice(0, -1)
  const isPlain = url !== null && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
  if ((protocol !== 'http' && protocol !== 'socks5') || !isPlain || url.hostname === '') {
    throw new Error(
      'is not a proxy: write http://host:port or socks5://host:port, with user:password@ before the host if needed',
    )
  }
  const [user = '', password = ''] = [url.username, url.password].map(decoded)
  if (protocol === 'socks5' && [user, password].some(part => Buffer.byteLength(part) > socksTextBytesMax)) {
    throw new Error(
      `has a user or password of more than ${socksTextBytesMax} bytes, which SOCKS5 cannot send`,
    )
  }
  return {
    protocol,
    host: url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname,
    port: url.port === '' ? defaultPorts[protocol] : Number(url.port),
    login: user === '' ? null : { user, password },
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error('has a % in the user or password that begins no code: write % as %25')
  }
}
