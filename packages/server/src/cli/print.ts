/** Prints a line, with control characters escaped so that text from outside cannot control the terminal. */
export function printLine(text: string): void {
  process.stdout.write(`${printable(text)}\n`)
}

/** Prints several lines. Parts that come from outside must not contain line breaks. */
export function printLines(text: string): void {
  process.stdout.write(`${text.split('\n').map(printable).join('\n')}\n`)
}

/** Prints a value as JSON, on one line or, for people, indented. */
export function printJson(value: unknown, indentation = 0): void {
  printLines(JSON.stringify(value, null, indentation))
}

/** Prints a line on standard error, as `printLine` does on standard output. */
export function printError(text: string): void {
  process.stderr.write(`${printable(text)}\n`)
}

/**
 * Shows what would steer a terminal, or change the order in which it shows text, as JSON escapes it: control characters
 * (C0, DEL, C1), marks of writing direction, line and paragraph separators. In JSON it means the same as before.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
