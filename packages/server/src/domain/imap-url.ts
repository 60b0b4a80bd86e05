/** The mailbox that bounce messages arrive in. */
export interface ImapMailbox {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly isTls: boolean
  /** Whether the server is on this machine. Only then may the connection be without TLS. */
  readonly isLoopback: boolean
  readonly user: string
  readonly password: string
  readonly mailbox: string
}

/**
 * Parses `imap[s]://user:password@host[:port][/mailbox]`.
 *
 * @throws Error that says what is wrong, without the password
 */
export function parseImapUrl(text: string): ImapMailbox {
  const url = URL.parse(text)
  if (url === null || !/^imaps?:$/.test(url.protocol) || url.hostname === '' || url.username === '') {
    throw new Error(
      'must be imaps://user:password@host or imap://user:password@host, with @ in the user as %40',
    )
  }
  const isTls = url.protocol === 'imaps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  try {
    return {
      host,
      port: url.port === '' ? (isTls ? 993 : 143) : Number(url.port),
      isTls,
      isLoopback: /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i.test(host),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      mailbox: decodeURIComponent(url.pathname.replace(/^\//, '')) || 'INBOX',
    }
  } catch (error) {
    throw new Error('has a % that is not part of a code such as %40', { cause: error })
  }
}
