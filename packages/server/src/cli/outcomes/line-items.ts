import { type Item, type ItemReader, itemLengthMax, tooLong } from './item.ts'

/** Splits NDJSON: one item per line, without blank lines. */
export class LineItems implements ItemReader {
  #line = 1
  #rest = ''

  push(text: string): Item[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    const items = lines.flatMap(line => this.#take(line))
    if (this.#rest.length > itemLengthMax) throw tooLong(this.#line)
    return items
  }

  end(): Item[] {
    return this.#take(this.#rest)
  }

  #take(text: string): Item[] {
    const item = { line: this.#line++, text: text.trim() }
    return item.text === '' ? [] : [item]
  }
}
