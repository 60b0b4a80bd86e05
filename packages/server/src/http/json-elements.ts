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

/** How much to parse in one turn of the event loop. A slice always ends with a whole element. */
const sliceCharacters = 16_384
/** The limit for all elements together, because the parsed report must fit into memory. */
const allPartsMax = 500_000

/**
 * Parses a JSON array in slices and yields to the event loop after each slice, because parsing a large report at once
 * would delay everything else.
 *
 * @param text of any length
 * @returns the same as `readJson`, or null if the text is not an array
 * @throws AppError the same as `readJson`, at the first invalid slice, and `batch_too_large` for more than `elementsMax`
 * elements
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
  /** The start of the elements that are not parsed yet, their number, and their number of parts. */
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

/** The error for a report with too many outcomes. */
export function tooManyElements(max: number): AppError {
  return new AppError(
    'batch_too_large',
    `The report has more than ${max} outcomes. Split it into several requests.`,
  )
}
