import { WebhookUsageError } from './errors.ts'

/** The body as it came over the wire. A string is taken as UTF-8; bytes are the safer choice. */
export type RawBody = Uint8Array | ArrayBuffer | string

/** Gives the bytes to be hashed, without copying where that is possible. */
export function bodyBytes(body: RawBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body === null || body === undefined) {
    throw new WebhookUsageError('body_missing', 'there is no body to verify', {
      hint: 'pass the raw body; an empty one is an empty string or zero bytes',
    })
  }
  try {
    if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    // By tag and not by instanceof: a buffer may come from another realm, as it does in test runners.
    if (Object.prototype.toString.call(body).endsWith('ArrayBuffer]')) return new Uint8Array(body)
  } catch (cause) {
    throw new WebhookUsageError('body_already_consumed', 'the bytes of the body were given away', { cause })
  }
  throw new WebhookUsageError('body_already_parsed', `the body must be bytes or text, not ${typeof body}`, {
    hint: 'a JSON parser ran first; verification needs the raw body, serialising the object again does not restore it',
  })
}
