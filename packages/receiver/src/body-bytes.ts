import { WebhookUsageError } from './errors.ts'
import { utf8 } from './signed-message.ts'

/** The body as received. A string is encoded as UTF-8, so prefer bytes. */
export type RawBody = Uint8Array | ArrayBuffer | string

/** Serializing a parsed object again does not restore the signed bytes. */
export const HINT_RAW = 'verify the raw body, before parsing'

/** Returns the bytes to hash, without a copy if possible. */
export function bodyBytes(body: RawBody): Uint8Array {
  if (typeof body === 'string') return utf8(body)
  if (body === null || body === undefined) throw new WebhookUsageError('body_missing')
  try {
    if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    // `instanceof` fails for a buffer from another realm, for example in test runners.
    if (tag(body).endsWith('ArrayBuffer]')) return new Uint8Array(body)
  } catch {
    // The buffer was transferred and is now empty.
    throw new WebhookUsageError('body_already_consumed', HINT_RAW)
  }
  throw new WebhookUsageError('body_already_parsed', HINT_RAW)
}

/** The type tag of a value, such as `[object Object]`. It is the same in every realm. */
export function tag(value: unknown): string {
  return {}.toString.call(value)
}
