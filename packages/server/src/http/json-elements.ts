import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import { depthMax, partsMax } from './json-bomb.ts'
import {
  afterSpace,
  closingBrace,
  closingBracket,
  comma,
  endOfString,
  openingBrace,
  openingBracket,
  quote,
} from './json-text.ts'
import { type JsonOptions, malformed, readPiece, tooManyParts } from './read-json.ts'

/** Characters read in one turn of the event loop, and the rest of the element in which they end. */
const sliceCharacters = 16_384
/** In all elements together: what is read of them has to fit into memory. */
const allPartsMax = 500_000

/**
 * Reads a JSON array element by element, and lets everything else that waits for the event loop go first after each
 * slice of it: to read a report of ten megabytes in one go takes a tenth of a second.
 *
 * @param text of any length
 * @returns what `readJson` makes of it, or null if it is no array
 * @throws AppError what `readJson` throws, at the first slice that is wrong; `batch_too_large` for more than
 * `elementsMax` elements
 */
export async function jsonElements(
  text: string,
  elementsMax: number,
  options: JsonOptions,
  sliceMax = sliceCharacters,
): Promise<unknown[] | null> {
  const first = afterSpace(text, 0)
  if (text.charCodeAt(first) !== openingBracket) return null
  const elements: unknown[] = []
  let depth = 1
  let allParts = 0
  /** Where the elements begin that are not read yet, how many they are, and of how many parts. */
  let from = first + 1
  let unread = 1
  let parts = 0
  const readTo = (end: number): void => {
    allParts += parts
    if (allParts > allPartsMax) throw tooManyParts()
    const start = { text: from - 1, element: elements.length }
    const read = readPiece(`[${text.slice(from, end)}]`, options, start) as unknown[]
    const isEmpty = read.length === 0 && elements.length === 0 && text.charCodeAt(end) === closingBracket
    if (read.length < unread && !isEmpty) throw malformed(options.complaint, end)
    for (const element of read) elements.push(element)
    from = end + 1
    unread = 0
    parts = 0
  }
  const countPart = (): void => {
    if (++parts > partsMax) throw tooManyParts()
  }
  for (let at = from; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case openingBracket:
      case openingBrace:
        if (++depth > depthMax) throw tooManyParts()
        countPart()
        break
      case closingBracket:
      case closingBrace:
        if (--depth > 0) break
        if (text.charCodeAt(at) !== closingBracket) throw malformed(options.complaint, at)
        readTo(at)
        if (afterSpace(text, at + 1) < text.length)
          throw malformed(options.complaint, afterSpace(text, at + 1))
        return elements
      case comma:
        if (depth > 1) {
          countPart()
          break
        }
        if (elements.length + unread >= elementsMax) throw tooManyElements(elementsMax)
        if (at - from >= sliceMax) {
          readTo(at)
          await nextTurn()
        }
        unread++
        break
    }
  }
  throw malformed(options.complaint, text.length)
}

/** The refusal of a report that is too long. */
export function tooManyElements(max: number): AppError {
  return new AppError('batch_too_large', `Send at most ${max} outcomes in one report.`)
}
