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
  | 'dom'

/**
 * Writes a UUID as a TypeID: the kind of thing, an underscore, and the 128 bits in 26 characters of base32.
 *
 * @example
 * typeId('wh', '01890a5d-ac96-774b-bcce-b302099a8057') // 'wh_01h455vb4pex5vsknk084sn02q'
 */
export function typeId(prefix: IdPrefix, uuid: string): string {
  let text = `${prefix}_`
  // 26 characters hold 130 bits: the first one begins with two that are always zero
  let bits = 0
  let bitCount = 2
  for (let i = 0; i < uuid.length; i++) {
    const nibble = nibbles[uuid.charCodeAt(i)] ?? skip
    if (nibble === skip) continue
    bits = (bits << 4) | nibble
    bitCount += 4
    if (bitCount >= 5) {
      bitCount -= 5
      text += alphabet[(bits >>> bitCount) & 31]
      bits &= (1 << bitCount) - 1
    }
  }
  return text
}

/** The canonical UUID of a TypeID of this kind, or null when the text is not one. */
export function parseTypeId(prefix: IdPrefix, text: string): string | null {
  const start = prefix.length + 1
  if (text.length !== start + 26 || !text.startsWith(`${prefix}_`) || text.charCodeAt(start) > seven)
    return null
  let hex = ''
  let bits = 0
  let bitCount = -2
  for (let i = start; i < text.length; i++) {
    const value = alphabet.indexOf(text.charAt(i))
    if (value < 0) return null
    bits = (bits << 5) | value
    bitCount += 5
    while (bitCount >= 4) {
      bitCount -= 4
      hex += hexDigits[(bits >>> bitCount) & 15]
      bits &= (1 << bitCount) - 1
    }
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Crockford's base32 in lower case, as the TypeID specification has it. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const hexDigits = '0123456789abcdef'
const seven = '7'.charCodeAt(0)
const skip = 255

/** Hexadecimal digit of each character code; `skip` for everything else, which in a UUID is the hyphen. */
const nibbles = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = hexDigits.indexOf(String.fromCharCode(code).toLowerCase())
  return value < 0 ? skip : value
})
