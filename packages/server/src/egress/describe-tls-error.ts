import type { PeerCertificate } from 'node:tls'
import type { AttemptError } from '../domain/attempt-error.ts'
import type { Origin } from './origin.ts'
import { attemptError, errorCode } from './attempt-failure.ts'

const namesMax = 3

/** Explains a TLS error. `shown` is the certificate that the server sent, if it did. */
export function describeTlsError(
  error: unknown,
  { host, clientCertificate }: Pick<Origin, 'host' | 'clientCertificate'>,
  shown: Partial<PeerCertificate> = {},
): AttemptError {
  const code = errorCode(error)
  if (code === 'CERT_HAS_EXPIRED') return attemptError('tls_expired', { date: momentOf(shown.valid_to) })
  if (code === 'CERT_NOT_YET_VALID') {
    // the contract's message for this code says that the certificate has expired
    const message = `The certificate is not valid before ${momentOf(shown.valid_from)}. Check its dates, and the clock of the machine that issued it.`
    return { code: 'tls_expired', message }
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return attemptError('tls_name_mismatch', { names: namesIn(shown), host })
  }
  if (wantsCertificate(code, shown)) {
    return withAdvice(host, clientCertificate === null ? noClientCertificate : wrongClientCertificate)
  }
  if (/NO_APPLICATION_PROTOCOL/.test(code)) return withAdvice(host, http2Only)
  return attemptError('tls_failed', { host, reason: reasons.get(code) ?? byPattern(code) })
}

/** In TLS 1.2, the same alert may mean "no cipher in common", but then the server has sent no certificate. */
function wantsCertificate(code: string, shown: Partial<PeerCertificate>): boolean {
  if (
    /CERTIFICATE_REQUIRED|BAD_CERTIFICATE|ALERT_UNKNOWN_CA|ALERT_CERTIFICATE_(EXPIRED|UNKNOWN|REVOKED)|UNSUPPORTED_CERTIFICATE/.test(
      code,
    )
  )
    return true
  return /HANDSHAKE_FAILURE/.test(code) && shown.subject !== undefined
}

const noClientCertificate = [
  'it asks for a client certificate, but this endpoint has none',
  'Set one in the settings of the endpoint, or turn off client certificates for this URL.',
] as const
const wrongClientCertificate = [
  'it refused the client certificate of this endpoint',
  'Check its expiry date, and whether your server trusts the authority that issued it.',
] as const
const http2Only = [
  'it speaks HTTP/2 only, but Posthorn sends HTTP/1.1',
  'Turn on HTTP/1.1 for this URL.',
] as const

/** For errors where the default advice, which is about the server's certificate, does not help. */
function withAdvice(host: string, [reason, advice]: readonly [string, string]): AttemptError {
  return {
    code: 'tls_failed',
    message: `We could not open a secure connection to ${host}: ${reason}. ${advice}`,
  }
}

const selfSigned = 'its certificate is self-signed, or from an authority that is not trusted'
const incomplete =
  'its certificate leads to no trusted authority, perhaps because intermediate certificates are missing'
const noTls = 'the port does not speak TLS; perhaps it speaks plain HTTP'
const hungUp = 'the connection was closed during the handshake'

const reasons: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', selfSigned],
  ['SELF_SIGNED_CERT_IN_CHAIN', selfSigned],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', incomplete],
  ['UNABLE_TO_GET_ISSUER_CERT', incomplete],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', incomplete],
  ['ERR_SSL_WRONG_VERSION_NUMBER', noTls],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', noTls],
  ['ECONNRESET', hungUp],
  ['EPIPE', hungUp],
])

function byPattern(code: string): string {
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(code)) return 'it does not offer TLS 1.2 or newer'
  if (/UNRECOGNIZED_NAME/.test(code)) return 'it does not recognize that name'
  if (/HANDSHAKE_FAILURE|NO_.*CIPHER/.test(code)) return 'it has no cipher in common with Posthorn'
  return code === '' ? 'the handshake failed' : `the handshake failed (${code})`
}

/** The time in a readable form. */
function momentOf(time: string | undefined): string {
  const ms = time === undefined ? Number.NaN : Date.parse(time)
  if (Number.isNaN(ms)) return 'an unknown day'
  const iso = new Date(ms).toISOString()
  return `${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`
}

function namesIn({ subjectaltname = '' }: Partial<PeerCertificate>): string {
  const names = [...subjectaltname.matchAll(/(?:DNS|IP Address):([^,\s"]+)/g)].map(([, name]) => name)
  if (names.length === 0) return 'no DNS name'
  const more = names.length - namesMax
  return `${names.slice(0, namesMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
