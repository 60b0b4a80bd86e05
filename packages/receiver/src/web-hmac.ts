import { WebhookUsageError } from './errors.ts'
import { utf8 } from './signed-message.ts'

/** Computes HMAC-SHA256 of a message with each secret, as lower-case hex, with Web Crypto. */
export function webHmac(secrets: readonly string[]): (message: Uint8Array<ArrayBuffer>) => Promise<string[]> {
  const subtle = globalThis.crypto?.subtle
  if (subtle === undefined) {
    throw new WebhookUsageError('crypto_unavailable')
  }
  let keys: Promise<CryptoKey[]> | undefined
  return async message => {
    // The HMAC key is the whole secret string, including `whsec_`.
    keys ??= Promise.all(
      secrets.map(secret =>
        subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
      ),
    )
    return await Promise.all((await keys).map(async key => hex(await subtle.sign('HMAC', key, message))))
  }
}

/** Encodes bytes as lower-case hex. */
export function hex(mac: ArrayBuffer): string {
  return [...new Uint8Array(mac)].map(byte => (byte + 256).toString(16).slice(1)).join('')
}
