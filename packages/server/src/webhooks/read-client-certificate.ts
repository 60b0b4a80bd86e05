import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { WebhookUpdate } from '@posthorn/contract'
import { AppError } from '../errors.ts'

type Given = NonNullable<WebhookUpdate['client_certificate']>

/**
 * Checks a client certificate and its key. Returns both in PEM, without anything else that was in the files.
 * @throws AppError that names the field and what to do
 */
export function readClientCertificate(
  given: Given,
  nowMs: number,
): { certificate: string; privateKey: string } {
  const chain = given.certificate.match(certificateBlock) ?? []
  const [leaf] = chain.map(readCertificate)
  if (leaf === undefined) {
    throw refuse(
      'certificate',
      'has no PEM certificate: it must have a block that begins with -----BEGIN CERTIFICATE-----',
    )
  }
  if (nowMs > leaf.validToDate.getTime()) {
    throw refuse('certificate', `expired on ${dayOf(leaf.validToDate)}: renew it`)
  }
  if (nowMs < leaf.validFromDate.getTime()) {
    throw refuse('certificate', `is not valid before ${dayOf(leaf.validFromDate)}`)
  }
  const key = readPrivateKey(given.private_key)
  if (!leaf.checkPrivateKey(key)) {
    throw refuse(
      'private_key',
      'does not belong to the certificate: the certificate of the key must be the first one',
    )
  }
  return {
    certificate: `${chain.join('\n')}\n`,
    privateKey: String(key.export({ type: 'pkcs8', format: 'pem' })),
  }
}

/** What the API shows of a stored certificate. */
export function describeClientCertificate(
  certificate: string | null,
): { subject: string; expires_at: string } | null {
  if (certificate === null) return null
  const { subject, validToDate } = new X509Certificate(certificate)
  // undefined if the certificate has only alternative names, although the types do not say so
  const lines: string | undefined = subject
  return { subject: (lines ?? '').split('\n').join(', '), expires_at: validToDate.toISOString() }
}

/** OpenSSL refuses shorter ones. */
const rsaBitsMin = 2_048
/** Those of TLS 1.3 (RFC 8446 §4.2.3). OpenSSL refuses shorter ones. */
const curves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function readCertificate(block: string): X509Certificate {
  try {
    return new X509Certificate(block)
  } catch {
    throw refuse('certificate', 'cannot be read: it is not a certificate in PEM')
  }
}

function readPrivateKey(pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem)) {
    throw refuse(
      'private_key',
      'is encrypted: remove its passphrase, for example with openssl pkey -in key.pem',
    )
  }
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw refuse('private_key', 'cannot be read: it must be a private key in PEM')
  }
  const { modulusLength: bits, namedCurve: curve } = key.asymmetricKeyDetails ?? {}
  if (curve !== undefined && !curves.has(curve)) {
    throw refuse('private_key', `has the curve ${curve}: TLS needs ${[...curves].join(', ')}`)
  }
  if (bits !== undefined && bits < rsaBitsMin) {
    throw refuse('private_key', `has ${bits} bits: TLS needs an RSA key of at least ${rsaBitsMin} bits`)
  }
  return key
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function refuse(field: keyof Given, message: string): AppError {
  const path = `/client_certificate/${field}`
  return new AppError('validation_failed', `\`${field}\` ${message}`, [{ path, message }])
}
