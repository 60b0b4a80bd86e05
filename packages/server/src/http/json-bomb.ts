import {
  endOfString,
  openingBrace,
  openingBracket,
  closingBrace,
  closingBracket,
  comma,
  quote,
} from './json-text.ts'

/** Shorter texts are cheap to parse, whatever they contain. */
const harmlessCharactersMax = 64 * 1024
export const depthMax = 100
/** The limit of fields and elements, because an object with many names is slow to parse. */
export const partsMax = 20_000

/**
 * Whether a JSON text is too expensive to parse: 10 MB of `[` need more than 1 GB of memory, and an object with a million
 * names takes seconds. This check does not parse the text.
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
