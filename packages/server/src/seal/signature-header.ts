import { createHmac, type KeyObject } from 'node:crypto'

/** A signing secret with the name of its signature in the header. */
export interface NamedKey {
  readonly partName: string
  /** A key object, because `createHmac` is much slower with a buffer. */
  readonly secret: KeyObject
}

/**
 * The value of the signature header: `t` is the time of this attempt in seconds, and each key signs `t`,
 * a dot and the exact bytes of the body.
 */
export function signatureHeader(keys: readonly NamedKey[], nowMs: number, body: Uint8Array): string {
  const t = String(Math.floor(nowMs / 1_000))
  let header = `t=${t}`
  for (const { partName, secret } of keys) {
    header += `,${partName}=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`
  }
  return header
}
