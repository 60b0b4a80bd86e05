export const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The largest multiple of 62 in a byte. Larger bytes would make the first characters more likely. */
const unbiasedBytes = 248

/** Makes `length` base62 characters, all equally likely, from random bytes. */
export function randomBase62(length: number, randomBytes: (length: number) => Uint8Array): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < unbiasedBytes) text += base62Alphabet.charAt(byte % 62)
    }
  }
  return text
}

/** Writes an integer in base62, left-padded with `0`. */
export function toBase62(value: number, width: number): string {
  let text = ''
  for (let left = value; left > 0; left = Math.floor(left / 62))
    text = base62Alphabet.charAt(left % 62) + text
  return text.padStart(width, '0')
}
