import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 of a text with a mail key; `use` separates the different kinds of macs. */
export function mailMac(secret: Uint8Array, use: string, text: string): Uint8Array {
  return createHmac('sha256', secret).update(`${use}\n${text}`).digest()
}

/** Whether two texts are the same, in constant time. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts the recipient for a link in an email, and binds it to the token of the link. The iv is derived from the content,
 * so that the same recipient always gets the same link.
 */
export function sealForLink(secret: Uint8Array, token: string, text: string): string {
  const iv = mailMac(secret, 'link iv', `${token}\n${text}`).subarray(0, ivBytes)
  const cipher = createCipheriv('aes-256-gcm', linkKey(secret), iv, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(token))
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  )
}

/** Decrypts the text of `sealForLink`; null if it was altered or belongs to another token. */
export function openFromLink(secret: Uint8Array, token: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < ivBytes + tagBytes) return null
  const iv = bytes.subarray(0, ivBytes)
  const decipher = createDecipheriv('aes-256-gcm', linkKey(secret), iv, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(token))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    const text = decipher.update(bytes.subarray(ivBytes, -tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

function linkKey(secret: Uint8Array): Uint8Array {
  return mailMac(secret, 'link key', '')
}
