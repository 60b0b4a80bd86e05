import { createPrivateKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** A certificate with its key, ready for `tls.createServer`. */
export interface Certificate {
  readonly name: string
  readonly cert: string
  readonly key: string
}

const dayMs = 86_400_000

/**
 * Makes an X.509 certificate. It writes DER itself, because Node can read certificates but not create them. Without
 * `issuer` the certificate is self-signed.
 */
export function makeCertificate(subject: {
  /** Empty: no subject. */
  name: string
  hosts?: readonly string[]
  issuer?: Certificate
  isAuthority?: boolean
  /** An RSA key; the issuer must be an authority with another key. */
  rsa?: true
  /** Days from now. Both may be negative. */
  validDays?: readonly [from: number, until: number]
}): Certificate {
  const keys =
    subject.rsa === true
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuerKey = subject.issuer === undefined ? keys.privateKey : createPrivateKey(subject.issuer.key)
  const [from, until] = subject.validDays ?? [-1, 30]
  const content = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    distinguishedName(subject.issuer?.name ?? subject.name),
    sequence(time(Date.now() + from * dayMs), time(Date.now() + until * dayMs)),
    distinguishedName(subject.name),
    publicKey(keys.publicKey),
    tagged(0xa3, sequence(...extensions(subject.hosts ?? [], subject.isAuthority === true))),
  )
  const signature = sign('sha256', content, issuerKey)
  const der = sequence(content, ecdsaWithSha256, bitString(signature))
  return {
    name: subject.name,
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: String(keys.privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}

function extensions(hosts: readonly string[], isAuthority: boolean): Buffer[] {
  const basicConstraints = sequence(...(isAuthority ? [yes] : []))
  const found = [sequence(objectId(0x55, 0x1d, 0x13), yes, octetString(basicConstraints))]
  if (hosts.length > 0) {
    const names = sequence(...hosts.map(host => tagged(0x82, Buffer.from(host))))
    found.push(sequence(objectId(0x55, 0x1d, 0x11), octetString(names)))
  }
  return found
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...parts: Buffer[]) => tagged(0x30, ...parts)
const integer = (bytes: Buffer) => tagged(0x02, bytes)
const octetString = (content: Buffer) => tagged(0x04, content)
const bitString = (content: Buffer) => tagged(0x03, Buffer.from([0]), content)
const objectId = (...bytes: number[]) => tagged(0x06, Buffer.from(bytes))
const yes = tagged(0x01, Buffer.from([0xff]))
const ecdsaWithSha256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))

function distinguishedName(commonName: string): Buffer {
  if (commonName === '') return sequence()
  return sequence(tagged(0x31, sequence(objectId(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from(commonName)))))
}

/** UTCTime: YYMMDDHHMMSSZ. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)
  return tagged(0x17, Buffer.from(`${digits}Z`))
}

function publicKey(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' })
}
