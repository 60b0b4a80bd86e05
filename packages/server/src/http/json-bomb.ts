import {
  endOfString,
  openingBrace,
  openingBracket,
  closingBrace,
  closingBracket,
  quote,
} from './json-text.ts'

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
      case openingBracket:
      case openingBrace:
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
