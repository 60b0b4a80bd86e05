import type { PeerCertificate } from 'node:tls'
import type { AttemptError } from '../domain/attempt-error.ts'
import { attemptError, errorCode } from './attempt-failure.ts'

const namesMax = 3

/** Says what is wrong with a receiver's TLS. `shown` is the certificate that it showed, if it came to that. */
export function describeTlsError(
  error: unknown,
  host: string,
  shown: Partial<PeerCertificate> = {},
): AttemptError {
  const code = errorCode(error)
  if (code === 'CERT_HAS_EXPIRED') return attemptError('tls_expired', { date: momentOf(shown.valid_to) })
  if (code === 'CERT_NOT_YET_VALID') {
    // the other way to be out of date; the table's words would be wrong
    const message = `The certificate is not valid before ${momentOf(shown.valid_from)}. Check its dates, and the clock of whoever made it.`
    return { code: 'tls_expired', message }
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return attemptError('tls_name_mismatch', { names: namesIn(shown), host })
  }
  if (wantsCertificate(code, shown)) return otherwise(host, clientCertificate)
  if (/NO_APPLICATION_PROTOCOL/.test(code)) return otherwise(host, http2Only)
  return attemptError('tls_failed', { host, reason: reasons.get(code) ?? byPattern(code) })
}

/** A server of TLS 1.2 may refuse with the alert that also means "no cipher in common", but then it has shown no certificate. */
function wantsCertificate(code: string, shown: Partial<PeerCertificate>): boolean {
  if (/CERTIFICATE_REQUIRED|BAD_CERTIFICATE/.test(code)) return true
  return /HANDSHAKE_FAILURE/.test(code) && shown.subject !== undefined
}

const clientCertificate = [
  'it asks for a client certificate, and Posthorn has none',
  'Turn client certificates off for this URL: the signature proves who sent the request.',
] as const
const http2Only = [
  'it speaks HTTP/2 only, and Posthorn sends HTTP/1.1',
  'Turn HTTP/1.1 on for this URL.',
] as const

/** What the table's advice, which is about the server's own certificate, does not help with. */
function otherwise(host: string, [reason, advice]: readonly [string, string]): AttemptError {
  return { code: 'tls_failed', message: `No secure connection with ${host}: ${reason}. ${advice}` }
}

const selfSigned = 'its certificate is self-signed, or from an authority that is not trusted'
const incomplete =
  'its certificate leads to no trusted authority, as it does when intermediate certificates are missing'
const noTls = 'the port does not speak TLS, but perhaps plain HTTP'
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
  if (/UNRECOGNIZED_NAME/.test(code)) return 'it does not know that name'
  if (/HANDSHAKE_FAILURE|NO_.*CIPHER/.test(code)) return 'we have no cipher in common'
  return code === '' ? 'the handshake failed' : `the handshake failed (${code})`
}

/** As people write it, or what stands for a time that cannot be read. */
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
