import { numberTooLarge } from '@posthorn/contract'
import { isExactNumber } from '../domain/exact-number.ts'
import type { FieldError } from '../errors.ts'
import { fieldErrorsMax, jsonPointer } from './field-errors.ts'
import { mayHoldHalf } from './json-halves.ts'
import {
  afterSpace,
  closingBrace,
  closingBracket,
  colon,
  comma,
  endOfString,
  openingBrace,
  openingBracket,
  quote,
} from './json-text.ts'

const half = /\\u[dD][89a-fA-F]/

const number = /-?\d[\d.]*(?:[eE][+-]?\d+)?/y

/** Shorter numbers without an exponent fit exactly into a double. */
const plainNumberLengthMax = 15

/**
 * Sixteen digits or points in a row, possibly in a string. Repeated instead of `{16}` because V8 then scans faster. A
 * shorter number with an exponent is exact, tiny, or infinite, and every schema refuses infinity.
 */
const longNumber = new RegExp('[.-9]'.repeat(plainNumberLengthMax + 1))

/** An exponent that may be too small for a double. */
const tinyNumber = /[eE]-\d\d\d/

export interface FlawOptions {
  /** The position of the text in the request. */
  readonly at: readonly PropertyKey[]
  /** The index of the first element, if the text is a slice of a longer array. */
  readonly firstIndex: number
}

/** A fast check that lets most texts skip `jsonFlaws`. */
export function mayHoldFlaws(text: string): boolean {
  return mayHoldHalf(text) || longNumber.test(text) || tinyNumber.test(text)
}

/** The current position in an array or object. */
interface Container {
  index: number | null
  /** The raw name, with quotes. */
  name: string
}

/**
 * Finds values that Posthorn could not store unchanged: strings and names with an unpaired surrogate, and numbers that do
 * not fit exactly into a double. Two different values could otherwise become equal.
 *
 * @param text valid JSON
 * @returns at most `fieldErrorsMax` errors
 */
export function jsonFlaws(text: string, { at: prefix, firstIndex }: FlawOptions): FieldError[] {
  const flaws: FieldError[] = []
  const containers: Container[] = []
  const add = (message: string): void => {
    const path = containers.map(({ index, name }) => index ?? (JSON.parse(name) as string))
    flaws.push({ path: jsonPointer([...prefix, ...path]), message })
  }
  for (let at = 0; at < text.length && flaws.length < fieldErrorsMax; at++) {
    const code = text.charCodeAt(at)
    const inside = containers.at(-1)
    if (code === quote) {
      const end = endOfString(text, at)
      const written = text.slice(at, end + 1)
      const isName = text.charCodeAt(afterSpace(text, end + 1)) === colon
      if (isName && inside !== undefined) inside.name = written
      if (half.test(written) && !(JSON.parse(written) as string).isWellFormed()) {
        add(
          isName ? `has a name that is not valid Unicode: ${unpaired}` : `must be valid Unicode: ${unpaired}`,
        )
      }
      at = end
    } else if (code === openingBracket) {
      containers.push({ index: containers.length === 0 ? firstIndex : 0, name: '' })
    } else if (code === openingBrace) {
      containers.push({ index: null, name: '' })
    } else if (code === closingBracket || code === closingBrace) {
      containers.pop()
    } else if (code === comma) {
      if (inside !== undefined && inside.index !== null) inside.index++
    } else if (code === minus || (code >= zero && code <= nine)) {
      number.lastIndex = at
      const [written = ''] = number.exec(text) ?? []
      const isPlain = written.length <= plainNumberLengthMax && !/e/i.test(written)
      if (!isPlain && !isExactNumber(written)) add(numberTooLarge)
      at += Math.max(0, written.length - 1)
    }
  }
  return flaws
}

const minus = 0x2d
const zero = 0x30
const nine = 0x39

const unpaired = 'it has half of a surrogate pair. Send whole characters'
