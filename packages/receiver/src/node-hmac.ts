import { createHmac } from 'node:crypto'

/** Makes HMAC-SHA256 of `t`, a dot and the body under each secret, in lower-case hex, at once. */
export function nodeHmac(secrets: readonly string[], timestampText: string, bytes: Uint8Array): string[] {
  return secrets.map(secret =>
    createHmac('sha256', secret).update(`${timestampText}.`).update(bytes).digest('hex'),
  )
}
