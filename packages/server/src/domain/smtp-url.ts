/** A mail server that takes mail from us, as its URL says. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte on. */
  readonly isTls: boolean
  /** Without STARTTLS nothing is sent. */
  readonly mustStartTls: boolean
  /** Any certificate will do. */
  readonly anyCertificate: boolean
  readonly login: { readonly user: string; readonly password: string } | null
}

/**
 * Reads `smtp[s]://[user:password@]host[:port][?requireTLS=true&tls.rejectUnauthorized=false]`.
 *
 * @throws Error that says what is wrong, without the password
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw new Error('must be smtp://host:port or smtps://host:port, with user:password@ if it wants a login')
  }
  for (const name of url.searchParams.keys()) {
    if (name !== 'requireTLS' && name !== 'tls.rejectUnauthorized') {
      throw new Error(`knows ?requireTLS= and ?tls.rejectUnauthorized=, not ?${name}=`)
    }
  }
  const isTls = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    isTls,
    mustStartTls: url.searchParams.get('requireTLS') === 'true',
    anyCertificate: url.searchParams.get('tls.rejectUnauthorized') === 'false',
    login:
      url.username === ''
        ? null
        : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
  }
}

/**
 * Reads a mail address of the operator's own.
 *
 * @throws Error when it is none
 */
export function parseMailAddress(text: string): string {
  if (!/^[\w.+-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)) {
    throw new Error(`"${text}" is not an address such as posthorn@example.com`)
  }
  return text
}

/**
 * Reads the domain of a mail address.
 *
 * @throws Error when it is none
 */
export function parseMailDomain(text: string): string {
  const name = text.toLowerCase()
  // with `bounces+` and a token before it an address must stay within 254 characters
  if (!/^(?=.{1,180}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(name)) {
    throw new Error(`"${text}" is not a domain such as bounces.example.com`)
  }
  return name
}
