const digits = '0123456789abcdef'

/** What stands for a character that is no hexadecimal digit, which in a UUID is the hyphen. */
export const noNibble = 255

/** The four bits of each hexadecimal digit, by character code. */
export const nibbles = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = digits.indexOf(String.fromCharCode(code).toLowerCase())
  return value < 0 ? noNibble : value
})
