/** How a JSON text differs from the shortest form of its value in white space and escapes. */
export interface JsonStyle {
  readonly spaceAfterColon: boolean
  readonly spaceAfterComma: boolean
  readonly lineBreaks: boolean
  /** `\/`, as PHP writes it. */
  readonly escapedSlashes: boolean
  /** An escape such as `\u00fc`, as Python writes it. */
  readonly unicodeEscape: string | null
}

/** Reads the style of a JSON text. */
export function jsonStyle(text: string): JsonStyle {
  const strings = text.match(/"(?:[^"\\]|\\.)*"/g) ?? []
  const between = text.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  return {
    spaceAfterColon: /: /.test(between),
    spaceAfterComma: /, /.test(between),
    lineBreaks: /[\r\n]/.test(between.trim()),
    escapedSlashes: strings.some(one => escapes(one).includes('\\/')),
    unicodeEscape: strings.flatMap(escapes).find(isNeedless) ?? null,
  }
}

/** The escapes of a string one by one; a surrogate pair is one. */
function escapes(text: string): string[] {
  return text.match(/\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\u[0-9a-f]{4}|\\./gi) ?? []
}

/** Control characters must be escaped. */
function isNeedless(escape: string): boolean {
  return /^\\u(?!00[01])/.test(escape)
}
