import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/**
 * Reads the public key of a mail provider: PEM, the same in base64 without its first and last line, or the DKIM record that
 * contains it. Null if it is not a key of this type.
 */
export function readPublicKey(text: string, type: 'ec' | 'rsa'): KeyObject | null {
  const base64 = text.includes('-----BEGIN') ? null : (/\bp=([^;]*)/.exec(text)?.[1] ?? text)
  try {
    const key =
      base64 === null
        ? createPublicKey(text)
        : createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === type ? key : null
  } catch {
    return null
  }
}

/** Whether a text contains a private key, as PEM or as the same in base64 without its first and last line. */
export function isPrivateKey(text: string): boolean {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return true
  const der = Buffer.from(text, 'base64')
  return (['pkcs8', 'pkcs1', 'sec1'] as const).some(type => {
    try {
      createPrivateKey({ key: der, format: 'der', type })
      return true
    } catch {
      return false
    }
  })
}
