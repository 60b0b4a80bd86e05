import type { HmacKey } from './hmac-key.ts'

/** A key with the name that its signature bears. */
export interface NamedKey {
  readonly partName: string
  readonly secret: HmacKey
}

/**
 * The value of `X-Service-Signature` (interface §5.2): `t` is the second of this attempt, and each key signs
 * `t`, a dot and the exact bytes of the body.
 */
export function signatureHeader(keys: readonly NamedKey[], nowMs: number, body: Uint8Array): string {
  const t = String(Math.floor(nowMs / 1_000))
  let header = `t=${t}`
  for (const { partName, secret } of keys) {
    header += `,${partName}=${secret.sign(`${t}.`, body)}`
  }
  return header
}
