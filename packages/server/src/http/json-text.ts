/** The character codes of JSON syntax (RFC 8259 §2). */
export const quote = 0x22
export const comma = 0x2c
export const colon = 0x3a
export const openingBracket = 0x5b
export const closingBracket = 0x5d
export const openingBrace = 0x7b
export const closingBrace = 0x7d
export const backslash = 0x5c

/** The index at which the string that starts at `start` ends, or the end of the text if it does not end. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = at
    while (text.charCodeAt(escapes - 1) === backslash && escapes - 1 > start) escapes--
    if ((at - escapes) % 2 === 0) return at
  }
  return text.length
}

/** The index of the next character that is not white space. */
export function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++
  return at
}
