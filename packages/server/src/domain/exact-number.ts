/** Longer spellings are refused unparsed. No value needs them, and comparing digits takes longer for long ones. */
const lengthMax = 64

/** 17 significant digits identify every double (IEEE 754, binary64). */
const fractionDigitsMax = 17

/** Smaller doubles have fewer than 17 significant digits (IEEE 754, subnormal numbers). */
const leastNormal = 2 ** -1022

/**
 * Whether a double represents a JSON number as it is written (RFC 7493 §2.2). An integer must stay the same integer. A
 * fraction below 2^53 may have 17 significant digits, as programs print doubles. A subnormal number must have exactly the
 * digits of its double. Overflow and underflow are not exact.
 *
 * @param text a number as JSON spells it (RFC 8259 §6)
 * @example
 * isExactNumber('9007199254740993') // false: a double has …992
 */
export function isExactNumber(text: string): boolean {
  if (text.length > lengthMax) return false
  const value = Number(text)
  const written = decimalOf(text)
  if (written === null || !Number.isFinite(value)) return false
  if (written.digits === '') return true
  const size = Math.abs(value)
  if (written.exponent < 0 && size >= leastNormal) {
    return written.digits.length <= fractionDigitsMax && size < 2 ** 53
  }
  const stored = decimalOf(String(value))
  return stored?.digits === written.digits && stored.exponent === written.exponent
}

/** The digits without leading and trailing zeros, and the power of ten of the last one, so `1200` equals `1.2e3`. */
function decimalOf(text: string): { digits: string; exponent: number } | null {
  const found = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)
  if (found === null) return null
  const [, whole = '', fraction = '', power = '0'] = found
  const all = (whole + fraction).replace(/^0+/, '')
  const digits = all.replace(/0+$/, '')
  return { digits, exponent: Number(power) - fraction.length + all.length - digits.length }
}
