/** The content of a token in a mail: one recipient of one email, and the key that signed it. */
export interface MailToken {
  readonly purpose: MailTokenPurpose
  /** The account code: 32 bits that name the account, and with it the key. */
  readonly keyNumber: number
  /** UUIDv7. */
  readonly emailId: string
  /** Counted from 1. */
  readonly recipientNumber: number
}

/** A token is part of a return path, or of a link or address to unsubscribe. */
export type MailTokenPurpose = 'return_path' | 'unsubscribe'

/** A received token. Its `mac` is not verified yet. */
export interface ReadMailToken {
  readonly token: MailToken
  /** The text that `mac` authenticates. */
  readonly head: string
  readonly mac: string
}

/** The first part of a token, without its mac: 33 characters. */
export function mailTokenHead({ purpose, keyNumber, emailId, recipientNumber }: MailToken): string {
  const hex = emailId.replaceAll('-', '')
  // every UUIDv7 has the same version and variant, so leaving them out saves a character
  const email = hex.slice(0, 12) + hex.slice(13, 16)
  const variant = BigInt(`0x${hex.slice(16)}`) & ((1n << 62n) - 1n)
  const bits =
    (BigInt(purposes.indexOf(purpose)) << 162n) |
    (BigInt(keyNumber) << 130n) |
    (BigInt(`0x${email}`) << 70n) |
    (variant << 8n) |
    BigInt(recipientNumber)
  return toBase32(bits, headLength)
}

/**
 * Parses a token. It ignores case, because some mail servers change it.
 *
 * @returns null if the text cannot be a token
 */
export function readMailToken(text: string): ReadMailToken | null {
  if (text.length !== headLength + mailTokenMacLength) return null
  const lower = text.toLowerCase()
  const head = lower.slice(0, headLength)
  const bits = fromBase32(head)
  if (bits === null || fromBase32(lower.slice(headLength)) === null) return null
  const purpose = purposes[Number(bits >> 162n)]
  if (purpose === undefined) return null
  const email = ((bits >> 70n) & ((1n << 60n) - 1n)).toString(16).padStart(15, '0')
  const variant = (((bits >> 8n) & ((1n << 62n) - 1n)) | (2n << 62n)).toString(16)
  const emailId = `${email.slice(0, 8)}-${email.slice(8, 12)}-7${email.slice(12)}-${variant.slice(0, 4)}-${variant.slice(4)}`
  const keyNumber = Number((bits >> 130n) & 0xffffffffn)
  const recipientNumber = Number(bits & 0xffn)
  return { token: { purpose, keyNumber, emailId, recipientNumber }, head, mac: lower.slice(headLength) }
}

/** The first hundred bits of a mac, which are the end of a token. */
export function mailTokenMac(mac: Uint8Array): string {
  let bits = 0n
  for (const byte of mac.subarray(0, 13)) bits = (bits << 8n) | BigInt(byte)
  return toBase32(bits >> 4n, mailTokenMacLength)
}

const purposes: readonly MailTokenPurpose[] = ['return_path', 'unsubscribe']

/** 3 bits of purpose, 32 of key, 122 of email, 8 of recipient. */
const headLength = 33
/** With `bounces+`, head and mac fit into the 64 characters of a local part. */
const mailTokenMacLength = 20

/** Crockford's base32 in lower case: no two characters look alike, and case does not matter. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function toBase32(bits: bigint, length: number): string {
  let text = ''
  for (let at = BigInt(length - 1) * 5n; at >= 0n; at -= 5n) text += alphabet[Number((bits >> at) & 31n)]
  return text
}

function fromBase32(text: string): bigint | null {
  let bits = 0n
  for (const character of text) {
    const value = alphabet.indexOf(character)
    if (value < 0) return null
    bits = (bits << 5n) | BigInt(value)
  }
  return bits
}
