export const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The largest multiple of 62 in a byte: what lies above would make the first characters likelier. */
const fairBytes = 248

/** Makes `length` base62 characters, each as likely as every other, from a source of random bytes. */
export function randomBase62(length: number, randomBytes: (length: number) => Uint8Array): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < fairBytes) text += base62Alphabet.charAt(byte % 62)
    }
  }
  return text
}

/** Writes a whole number in base62, left-padded with `0`. */
export function toBase62(value: number, width: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62))
    text = base62Alphabet.charAt(rest % 62) + text
  return text.padStart(width, '0')
}
