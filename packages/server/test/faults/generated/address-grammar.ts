import { domainToASCII } from 'node:url'

/** The two parts of an address. */
export interface AddressParts {
  /** The local part without quotes and backslashes. */
  local: string
  domain: string
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const digits = '0123456789'
const atomCharacters = new Set(`${letters}${digits}!#$%&'*+-/=?^_\`{|}~`)
const hostCharacters = new Set(`${letters}${digits}_`)

/**
 * The characters beyond ASCII in the inputs, and where RFC 6531 and IDNA allow them: in a local part, in a quoted one, within
 * a label, at its start.
 */
export const beyondAscii: ReadonlyMap<
  string,
  { atom: boolean; quoted: boolean; label: boolean; first: boolean }
> = new Map([
  ['ü', { atom: true, quoted: true, label: true, first: true }],
  ['é', { atom: true, quoted: true, label: true, first: true }],
  ['本', { atom: true, quoted: true, label: true, first: true }],
  ['日', { atom: true, quoted: true, label: true, first: true }],
  ['α', { atom: true, quoted: true, label: true, first: true }],
  ['٣', { atom: true, quoted: true, label: true, first: true }],
  ['\u0301', { atom: true, quoted: true, label: true, first: false }],
  ['😀', { atom: true, quoted: true, label: false, first: false }],
  ['\u00a0', { atom: false, quoted: true, label: false, first: false }],
  ['\u2003', { atom: false, quoted: true, label: false, first: false }],
  ['\u2028', { atom: false, quoted: false, label: false, first: false }],
  ['\u0085', { atom: false, quoted: false, label: false, first: false }],
  ['\ud800', { atom: false, quoted: false, label: false, first: false }],
])

/**
 * Parses an address by RFC 5321, character by character, without code of the product. It makes the same intended exceptions. An
 * unquoted local part may have dots anywhere. A quoted one has no angle brackets and is not empty. A domain may have
 * underscores but is not a literal.
 *
 * @returns null if the text is not an address
 */
export function readByGrammar(text: string): AddressParts | null {
  const characters = Array.from(text)
  const name = characters[0] === '"' ? readQuoted(characters) : readBare(characters)
  if (name === null || characters[name.end] !== '@') return null
  const written = characters.slice(0, name.end).join('')
  // a local part with dots in unusual places is written with quotes, which count for its length
  const isWhole = characters[0] === '"' || !written.split('.').includes('')
  if (Buffer.byteLength(written) + (isWhole ? 0 : 2) > 64) return null
  const domain = characters.slice(name.end + 1).join('')
  return isDomain(domain) ? { local: name.local, domain } : null
}

function readBare(characters: readonly string[]): { local: string; end: number } | null {
  let end = 0
  let atoms = 0
  for (; end < characters.length; end++) {
    const character = characters[end] ?? ''
    const isAtom = atomCharacters.has(character) || beyondAscii.get(character)?.atom === true
    if (isAtom) atoms += 1
    else if (character !== '.') break
  }
  return atoms === 0 ? null : { local: characters.slice(0, end).join(''), end }
}

function readQuoted(characters: readonly string[]): { local: string; end: number } | null {
  let local = ''
  for (let at = 1; at < characters.length; at++) {
    let character = characters[at] ?? ''
    if (character === '"') return local === '' ? null : { local, end: at + 1 }
    const isPair = character === '\\'
    if (isPair) character = characters[++at] ?? ''
    const code = character.codePointAt(0) ?? 0
    const isGraphic = code >= 0x20 && code <= 0x7e && character !== '<' && character !== '>'
    if (!isGraphic && (isPair || beyondAscii.get(character)?.quoted !== true)) return null
    local += character
  }
  return null
}

function isDomain(domain: string): boolean {
  if (domain.length === 0 || domain.length > 253) return false
  const isEveryLabel = domain.split('.').every(label => {
    const characters = Array.from(label)
    const [first = '', last = ''] = [characters[0], characters.at(-1)]
    const isInside = (one: string): boolean => hostCharacters.has(one) || beyondAscii.get(one)?.label === true
    return (
      label.length <= 63 &&
      (hostCharacters.has(first) || beyondAscii.get(first)?.first === true) &&
      isInside(last) &&
      characters.every(one => one === '-' || isInside(one))
    )
  })
  const isAscii = Buffer.byteLength(domain) === domain.length
  return isEveryLabel && (isAscii || domainToASCII(domain) !== '')
}
