import { CommandError } from '../command-error.ts'
import { type Item, type ItemReader, itemLengthMax, tooLong } from './item.ts'

/** Splits a JSON array into its elements by brackets and quotes, without checking whether an element is valid JSON. */
export class ArrayItems implements ItemReader {
  #line = 1
  #depth = 0
  #isInString = false
  #isEscaped = false
  #isOver = false
  /** The current element: the line on which it starts, and its text in earlier chunks. */
  #hasBegun = false
  #beganAt = 1
  #text = ''

  push(text: string): Item[] {
    const items: Item[] = []
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const character = text[at] ?? ''
      if (this.#isOver) this.#refuse(character)
      else if (this.#hasBegun || !isSpace(character)) {
        if (this.#begins(character)) from = at
        if (this.#endsWith(character)) {
          items.push(...this.#take(text.slice(from, at), character))
          from = at + 1
        }
      }
      if (character === '\n') this.#line++
    }
    if (this.#hasBegun) this.#text += text.slice(from)
    if (this.#text.length > itemLengthMax) throw tooLong(this.#beganAt)
    return items
  }

  end(): Item[] {
    if (this.#isOver) return []
    throw new CommandError(
      'report_malformed',
      `the JSON array is not closed; its last element starts on line ${this.#beganAt}`,
    )
  }

  #begins(character: string): boolean {
    if (this.#hasBegun || this.#depth === 0) return false
    this.#beganAt = this.#line
    if (character === ',' || character === ']') return false
    this.#hasBegun = true
    return true
  }

  /** Whether the current element, if any, ends before this character. */
  #endsWith(character: string): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (character === '\\') this.#isEscaped = true
      else if (character === '"') this.#isInString = false
      return false
    }
    if (character === '"') this.#isInString = true
    else if (character === '[' || character === '{') this.#depth++
    else if (character === ']' || character === '}') {
      this.#depth--
      this.#isOver = this.#depth === 0
      return this.#isOver
    }
    return character === ',' && this.#depth === 1
  }

  #take(last: string, character: string): Item[] {
    const item = { line: this.#beganAt, text: this.#hasBegun ? (this.#text + last).trim() : '' }
    this.#text = ''
    this.#hasBegun = false
    // an empty array has no element, and nothing follows a trailing comma
    return item.text === '' && character !== ',' ? [] : [item]
  }

  #refuse(character: string): void {
    if (isSpace(character)) return
    throw new CommandError('report_malformed', `line ${this.#line}: there is text after the end of the array`)
  }
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t'
}
