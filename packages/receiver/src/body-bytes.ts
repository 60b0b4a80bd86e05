import { WebhookUsageError } from './errors.ts'
import { utf8 } from './signed-message.ts'

/** The body as it came over the wire. A string is taken as UTF-8; bytes are the safer choice. */
export type RawBody = Uint8Array | ArrayBuffer | string

/** What to do about a body that is gone: serialising the parsed object again does not restore it. */
export const HINT_RAW = 'verify the raw body, before parsing'

/** Gives the bytes to be hashed, without copying where that is possible. */
export function bodyBytes(body: RawBody): Uint8Array {
  if (typeof body === 'string') return utf8(body)
  if (body === null || body === undefined) throw new WebhookUsageError('body_missing')
  try {
    if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    // By tag and not by instanceof: a buffer may come from another realm, as it does in test runners.
    if (tag(body).endsWith('ArrayBuffer]')) return new Uint8Array(body)
  } catch {
    // The memory was transferred to somebody else.
    throw new WebhookUsageError('body_already_consumed', HINT_RAW)
  }
  throw new WebhookUsageError('body_already_parsed', HINT_RAW)
}

/** What a value says it is, `[object Object]` for instance; the same in every realm. */
export function tag(value: unknown): string {
  return {}.toString.call(value)
}
