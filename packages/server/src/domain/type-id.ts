import { nibbles, noNibble } from './hex-nibbles.ts'

/** The prefix of each kind of id, as customers see it. */
export type IdPrefix =
  | 'acct'
  | 'key'
  | 'wh'
  | 'whk'
  | 'em'
  | 'evt'
  | 'dlv'
  | 'att'
  | 'aud'
  | 'rpl'
  | 'era'
  | 'ses'
  | 'pses'
  | 'sup'
  | 'src'
  | 'dom'
  | 'opr'

/**
 * Writes a UUID as a TypeID: a prefix, an underscore, and the 128 bits in 26 characters of base32.
 *
 * @example
 * typeId('wh', '01890a5d-ac96-774b-bcce-b302099a8057') // 'wh_01h455vb4pex5vsknk084sn02q'
 */
export function typeId(prefix: IdPrefix, uuid: string): string {
  // 26 characters have 130 bits, and the first two are always zero
  let bits = 0
  let bitCount = 2
  let at = 0
  for (let i = 0; i < uuid.length; i++) {
    const nibble = nibbles[uuid.charCodeAt(i)] ?? noNibble
    if (nibble === noNibble) continue
    bits = (bits << 4) | nibble
    bitCount += 4
    if (bitCount >= 5) {
      bitCount -= 5
      written[at++] = characters[(bits >>> bitCount) & 31] ?? 0
      bits &= (1 << bitCount) - 1
    }
  }
  return `${prefix}_${String.fromCharCode.apply(null, at === written.length ? written : written.slice(0, at))}`
}

/** The canonical UUID of a TypeID with this prefix, or null for any other text. */
export function parseTypeId(prefix: IdPrefix, text: string): string | null {
  const start = prefix.length + 1
  if (text.length !== start + 26 || !text.startsWith(`${prefix}_`) || text.charCodeAt(start) > seven)
    return null
  let bits = 0
  let bitCount = -2
  let at = 0
  for (let i = start; i < text.length; i++) {
    const value = values[text.charCodeAt(i)] ?? skip
    if (value === skip) return null
    bits = (bits << 5) | value
    bitCount += 5
    while (bitCount >= 4) {
      bitCount -= 4
      if (at === 8 || at === 13 || at === 18 || at === 23) uuidWritten[at++] = hyphen
      uuidWritten[at++] = hexDigits.charCodeAt((bits >>> bitCount) & 15)
      bits &= (1 << bitCount) - 1
    }
  }
  return String.fromCharCode.apply(null, uuidWritten)
}

/** Crockford's base32 in lower case, as the TypeID specification requires. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const hexDigits = '0123456789abcdef'
const seven = '7'.charCodeAt(0)
const hyphen = '-'.charCodeAt(0)
const skip = 255

const characters = Uint8Array.from(alphabet, character => character.charCodeAt(0))

/** The base32 value of each character code; `skip` for all others. */
const values = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = alphabet.indexOf(String.fromCharCode(code))
  return value < 0 ? skip : value
})

/** Reused buffers, because appending characters would create a string for each one. */
const written: number[] = Array.from({ length: 26 }, () => 0)
const uuidWritten: number[] = Array.from({ length: 36 }, () => 0)
