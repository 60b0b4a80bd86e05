import { WebhookUsageError } from './errors.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Computes HMAC-SHA256 with a key, as lower-case hex, with Web Crypto. */
export function webHmac(key: Bytes): (message: Bytes) => Promise<string> {
  const subtle = globalThis.crypto?.subtle
  if (!subtle) throw new WebhookUsageError('crypto_unavailable')
  let imported: Promise<CryptoKey> | undefined
  return async message => {
    imported ??= subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    return hex(await subtle.sign('HMAC', await imported, message))
  }
}

/** Encodes bytes as lower-case hex. */
export function hex(mac: ArrayBuffer): string {
  return [...new Uint8Array(mac)].map(byte => (byte + 256).toString(16).slice(1)).join('')
}
