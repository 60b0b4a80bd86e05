const digits = '0123456789abcdef'

/** Marks characters that are not hexadecimal digits, such as the hyphens of a UUID. */
export const noNibble = 255

/** The value of each hexadecimal digit, by character code. */
export const nibbles = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = digits.indexOf(String.fromCharCode(code).toLowerCase())
  return value < 0 ? noNibble : value
})
