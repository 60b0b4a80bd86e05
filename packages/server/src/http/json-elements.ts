import { setImmediate as nextTurn } from 'node:timers/promises'
import { containersMax, depthMax } from './json-bomb.ts'
import {
  closingBrace,
  closingBracket,
  comma,
  endOfString,
  openingBrace,
  openingBracket,
  quote,
} from './json-text.ts'

/** Characters read in one turn of the event loop, and the rest of the element in which they end. */
const sliceCharacters = 16_384

/**
 * Reads a JSON array element by element, and lets everything else that waits for the event loop go first after each slice of
 * it: to read a report of ten megabytes in one go takes a tenth of a second. Null for everything that is no valid array, that
 * is a bomb, or that has more elements than asked for: whoever reads it as a whole learns what is wrong with it.
 *
 * @param text of any length
 * @returns what `JSON.parse` makes of it, or null
 */
export async function jsonElements(
  text: string,
  elementsMax: number,
  sliceMax = sliceCharacters,
): Promise<unknown[] | null> {
  const first = afterSpace(text, 0)
  if (text.charCodeAt(first) !== openingBracket) return null
  const elements: unknown[] = []
  let depth = 1
  let containers = 1
  /** Where the elements begin that are not read yet, and how many they are. */
  let from = first + 1
  let unread = 1
  for (let at = from; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case openingBracket:
      case openingBrace:
        if (++depth > depthMax || ++containers > containersMax) return null
        break
      case closingBracket:
      case closingBrace:
        if (--depth > 0) break
        if (text.charCodeAt(at) !== closingBracket || afterSpace(text, at + 1) < text.length) return null
        return read(text.slice(from, at), unread, elements) ? elements : null
      case comma:
        if (depth > 1) break
        if (elements.length + unread >= elementsMax) return null
        if (at - from < sliceMax) {
          unread++
          break
        }
        if (!read(text.slice(from, at), unread, elements)) return null
        from = at + 1
        unread = 1
        await nextTurn()
        break
    }
  }
  return null
}

/** Reads elements that stand between commas; false when they are not as many. */
function read(piece: string, count: number, into: unknown[]): boolean {
  try {
    const elements = JSON.parse(`[${piece}]`) as unknown[]
    into.push(...elements)
    return elements.length === count
  } catch {
    return false
  }
}

/** The next place that holds no white space (RFC 8259 §2). */
function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++
  return at
}
