import { AttemptFailure, errorCode } from './attempt-failure.ts'

/** Says what is wrong with a receiver's TLS. `expiry` is the end of its certificate as the certificate spells it. */
export function describeTlsError(error: unknown, host: string, expiry?: string): AttemptFailure {
  const code = errorCode(error)
  const failure = (attemptCode: 'tls_failed' | 'tls_expired' | 'tls_name_mismatch', message: string) =>
    new AttemptFailure(attemptCode, message, { cause: error })

  if (code === 'CERT_HAS_EXPIRED') {
    return failure('tls_expired', `The certificate of ${host} expired${onDay(expiry)}. Renew it.`)
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return failure(
      'tls_expired',
      `The certificate of ${host} is not valid yet. Check its dates and the server's clock.`,
    )
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return failure(
      'tls_name_mismatch',
      `The certificate that the server showed is not for ${host}. Install one that names it.`,
    )
  }
  return failure('tls_failed', sentences.get(code) ?? byPattern(code, host))
}

const selfSigned =
  'The certificate is self-signed or from an authority that is not trusted. Use one from a public authority.'
const incomplete =
  'The certificate leads to no trusted authority: install the full chain, intermediate certificates included.'

const sentences: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', selfSigned],
  ['SELF_SIGNED_CERT_IN_CHAIN', selfSigned],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', incomplete],
  ['UNABLE_TO_GET_ISSUER_CERT', incomplete],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', incomplete],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'The port does not speak TLS: it answered something else, perhaps plain HTTP.',
  ],
  [
    'ERR_SSL_PACKET_LENGTH_TOO_LONG',
    'The port does not speak TLS: it answered something else, perhaps plain HTTP.',
  ],
  ['ECONNRESET', 'The server closed the connection during the TLS handshake.'],
  ['EPIPE', 'The server closed the connection during the TLS handshake.'],
])

function byPattern(code: string, host: string): string {
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(code)) return 'The server does not offer TLS 1.2 or newer.'
  if (/UNRECOGNIZED_NAME/.test(code)) return `The server does not know the name ${host}.`
  if (/CERTIFICATE_REQUIRED|BAD_CERTIFICATE/.test(code))
    return 'The server asks for a client certificate, which is not supported.'
  if (/HANDSHAKE_FAILURE|NO_.*CIPHER/.test(code))
    return 'The server and the service have no cipher in common.'
  return code === '' ? 'The TLS handshake failed.' : `The TLS handshake failed (${code}).`
}

function onDay(expiry: string | undefined): string {
  const time = expiry === undefined ? Number.NaN : Date.parse(expiry)
  return Number.isNaN(time) ? '' : ` on ${new Date(time).toISOString().slice(0, 10)}`
}
