import { base62Alphabet, toBase62 } from './base62.ts'

/**
 * The account code: the last 32 bits of an account's UUID. It is unique in an installation, and every credential contains
 * it, so that a front can tell from a credential alone which account it belongs to.
 * @example
 * accountCode('01890a5d-ac96-774b-bcce-b302099a8057') // 0x099a8057
 */
export function accountCode(uuid: string): number {
  return Number.parseInt(uuid.slice(-hexDigits), 16)
}

/** Writes a code as six base62 characters. */
export function codeText(code: number): string {
  return toBase62(code, codeLength)
}

/** The code in six base62 characters; null if they are none. */
export function readCodeText(text: string): number | null {
  if (text.length !== codeLength) return null
  let code = 0
  for (const character of text) {
    const value = base62Alphabet.indexOf(character)
    if (value < 0) return null
    code = code * 62 + value
  }
  return code <= codeMax ? code : null
}

/**
 * The account code in an API key, a session, a portal link or the URL of a source; null for any other text. It does not say that the credential
 * is valid.
 */
export function codeOfCredential(text: string): number | null {
  const [, inKey, inSession] = /^(?:phk_\w{24}(\w{6})\w{6}|ph[slr]_[\w-]{37}(\w{6}))$/.exec(text) ?? []
  return readCodeText(inKey ?? inSession ?? '')
}

/** The UUID with this code as its last 32 bits, for ids that must name their account. */
export function withCode(uuid: string, code: number): string {
  return uuid.slice(0, -hexDigits) + code.toString(16).padStart(hexDigits, '0')
}

const hexDigits = 8
const codeLength = 6
const codeMax = 0xffff_ffff
