/** Longer spellings are refused unread: no value needs them, and the time to compare digits grows with them. */
const lengthMax = 64

/** So many significant digits tell every double from its neighbours (IEEE 754, binary64). */
const fractionDigitsMax = 17

/** Below it a double has fewer digits than 17, down to one (IEEE 754, subnormal numbers). */
const leastNormal = 2 ** -1022

/**
 * Whether a double keeps a JSON number as it is written. A whole number must come out as the same whole number. A
 * fraction may have 17 significant digits below 2^53, which is what programs print of a double. What rounds to
 * infinity or to nothing is not kept, nor what is so small that a double has fewer digits, unless it has just these (RFC
 * 7493 §2.2).
 *
 * @param text a number as JSON spells it (RFC 8259 §6)
 * @example
 * isKeptNumber('9007199254740993') // false: a double has …992
 */
export function isKeptNumber(text: string): boolean {
  if (text.length > lengthMax) return false
  const value = Number(text)
  const written = decimalOf(text)
  if (written === null || !Number.isFinite(value)) return false
  if (written.digits === '') return true
  const size = Math.abs(value)
  if (written.exponent < 0 && size >= leastNormal) {
    return written.digits.length <= fractionDigitsMax && size < 2 ** 53
  }
  const kept = decimalOf(String(value))
  return kept?.digits === written.digits && kept.exponent === written.exponent
}

/** The digits without zeros at either end, and the power of ten of the last one: `1200` and `1.2e3` are the same. */
function decimalOf(text: string): { digits: string; exponent: number } | null {
  const found = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)
  if (found === null) return null
  const [, whole = '', fraction = '', power = '0'] = found
  const all = (whole + fraction).replace(/^0+/, '')
  const digits = all.replace(/0+$/, '')
  return { digits, exponent: Number(power) - fraction.length + all.length - digits.length }
}
