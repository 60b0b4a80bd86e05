/** Shorter texts cannot cost much, whatever they hold. */
const harmlessCharactersMax = 64 * 1024
export const depthMax = 100
export const containersMax = 200_000

/**
 * Whether a JSON text would take more than a hundred times its own memory to read: ten megabytes of `[` take more than a
 * gigabyte. Told without reading it, in a few milliseconds for each megabyte.
 */
export function isJsonBomb(text: string): boolean {
  if (text.length <= harmlessCharactersMax) return false
  let depth = 0
  let containers = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case bracket:
      case brace:
        if (++depth > depthMax || ++containers > containersMax) return true
        break
      case closingBracket:
      case closingBrace:
        depth--
        break
    }
  }
  return false
}

const quote = 0x22
const backslash = 0x5c
const bracket = 0x5b
const brace = 0x7b
const closingBracket = 0x5d
const closingBrace = 0x7d

/** Where the string that begins at `start` ends; the text's end when it does not. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = at
    while (text.charCodeAt(escapes - 1) === backslash && escapes - 1 > start) escapes--
    if ((at - escapes) % 2 === 0) return at
  }
  return text.length
}
