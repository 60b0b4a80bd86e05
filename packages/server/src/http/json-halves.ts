import { backslash } from './json-text.ts'

/** Replaces each escape that is half of a surrogate pair by the one of U+FFFD. All positions in the text stay. */
export function withoutHalves(text: string): string {
  if (!mayHoldHalf(text)) return text
  return text.replace(pairHalfOrOther, (whole, half: string | undefined) =>
    half === undefined ? whole : '\\ufffd',
  )
}

const pairHalfOrOther =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(\\u[dD][89a-fA-F][\da-fA-F]{2})|\\[^]/g

/** Whether an escape may be half of a surrogate pair: a fast check that lets most texts skip a slower one. */
export function mayHoldHalf(text: string): boolean {
  for (let at = text.indexOf('\\u'); at >= 0; at = text.indexOf('\\u', at + escapeLength)) {
    // the backslash may itself be escaped
    if (text.charCodeAt(at - 1) === backslash) return true
    const first = halfAt(text, at)
    if (first === null) continue
    if (first === 'low' || halfAt(text, at + escapeLength) !== 'low') return true
    at += escapeLength
  }
  return false
}

/** `\uXXXX` has six characters. */
const escapeLength = 6

/** Which surrogate the escape at this position is: `\ud8…` to `\udb…` is high, `\udc…` to `\udf…` is low. */
function halfAt(text: string, at: number): 'high' | 'low' | null {
  const isEscape = text.charCodeAt(at) === backslash && text.charCodeAt(at + 1) === letterU
  // `D` and `d` differ only in this bit
  if (!isEscape || (text.charCodeAt(at + 2) | 0x20) !== letterD) return null
  const digit = text.charCodeAt(at + 3) | 0x20
  if (digit === eight || digit === nine || digit === letterA || digit === letterB) return 'high'
  return digit >= letterC && digit <= letterF ? 'low' : null
}

const eight = 0x38
const nine = 0x39
const letterA = 0x61
const letterB = 0x62
const letterC = 0x63
const letterD = 0x64
const letterF = 0x66
const letterU = 0x75
