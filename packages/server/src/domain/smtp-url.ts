import { asHostName } from './host-name.ts'

/** The mail server that we submit mail to. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly isTls: boolean
  /** Send nothing without STARTTLS. */
  readonly mustStartTls: boolean
  /** Accept any certificate. */
  readonly anyCertificate: boolean
  readonly login: { readonly user: string; readonly password: string } | null
}

/**
 * Parses `smtp[s]://[user:password@]host[:port][?requireTLS=true&tls.rejectUnauthorized=false]`.
 *
 * @throws Error that says what is wrong, without the password
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw new Error(
      'must be smtp://host:port or smtps://host:port, with user:password@ if it requires a login',
    )
  }
  for (const name of url.searchParams.keys()) {
    if (name !== 'requireTLS' && name !== 'tls.rejectUnauthorized') {
      throw new Error(`supports ?requireTLS= and ?tls.rejectUnauthorized=, but not ?${name}=`)
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
 * Checks a mail address in a setting.
 *
 * @throws Error if it is malformed
 */
export function parseMailAddress(text: string): string {
  if (!/^[\w.+-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)) {
    throw new Error(`"${text}" is not an address such as posthorn@example.com`)
  }
  return text
}

/**
 * Checks a mail domain in a setting, and returns it in lower case and as A-labels.
 *
 * @throws Error if it is malformed
 */
export function parseMailDomain(text: string): string {
  const name = asHostName(text)
  // an address with `bounces+` and a token must not exceed 254 characters
  if (!/^(?=.{1,180}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(name)) {
    throw new Error(`"${text}" is not a domain such as bounces.example.com`)
  }
  return name
}
