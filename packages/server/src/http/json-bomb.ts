import {
  endOfString,
  openingBrace,
  openingBracket,
  closingBrace,
  closingBracket,
  comma,
  quote,
} from './json-text.ts'

/** Shorter texts cannot cost much, whatever they hold. */
const harmlessCharactersMax = 64 * 1024
export const depthMax = 100
/** Fields and elements that are read in one go: an object of so many names takes a few hundredths of a second. */
export const partsMax = 20_000

/**
 * Whether a JSON text would take much more than its length to read: ten megabytes of `[` take more than a gigabyte, an
 * object of a million names takes seconds. Told without reading it, in a few milliseconds for each megabyte.
 */
export function isJsonBomb(text: string): boolean {
  if (text.length <= harmlessCharactersMax) return false
  let depth = 0
  let parts = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case openingBracket:
      case openingBrace:
        if (++depth > depthMax || ++parts > partsMax) return true
        break
      case closingBracket:
      case closingBrace:
        depth--
        break
      case comma:
        if (++parts > partsMax) return true
        break
    }
  }
  return false
}
