import { utf8Bytes } from './utf8.ts'

/** HMAC-SHA256 of `before` followed by the body, in lower-case hex, for our rule and its variants. */
export async function hmacHex(
  key: Uint8Array<ArrayBuffer>,
  before: string,
  body: Uint8Array,
): Promise<string> {
  const { subtle } = globalThis.crypto
  const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const prefix = utf8Bytes(before)
  const message = new Uint8Array(prefix.length + body.length)
  message.set(prefix)
  message.set(body, prefix.length)
  const mac = new Uint8Array(await subtle.sign('HMAC', imported, message))
  return Array.from(mac, byte => byte.toString(16).padStart(2, '0')).join('')
}
