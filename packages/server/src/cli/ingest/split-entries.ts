/** The parts of entries that are not complete, as plain JSON. */
export type SplitMemory = ReadonlyArray<readonly [writer: string, next: number, total: number, text: string]>

/** More entries than a log mixes at once, and longer than any of them. */
const writersMax = 100
const charactersMax = 64 * 1_024

/** Joins the entries that Exim splits for syslog: `[1/3] …`, `[2/3] …`. */
export class SplitEntries {
  readonly #parts: Map<string, { next: number; total: number; text: string }>

  constructor(memory: SplitMemory) {
    this.#parts = new Map(memory.map(([writer, next, total, text]) => [writer, { next, total, text }]))
  }

  /**
   * @param writer the host and program that wrote it
   * @returns the whole entry; null if it is not complete yet
   */
  join(writer: string, message: string): string | null {
    const [, n = '', , of = '', text = ''] = /^\[(\d{1,3})([\\/])(\d{1,3})\] ?([^]*)$/.exec(message) ?? []
    const [number, total] = [Number(n), Number(of)]
    if (number < 1 || number > total) return message
    const before = this.#parts.get(writer)
    this.#parts.delete(writer)
    const follows = before?.next === number && before.total === total
    if (number > 1 && !follows) return null
    const whole = (follows && number > 1 ? before.text : '') + text
    if (number === total || whole.length > charactersMax) return whole
    this.#parts.set(writer, { next: number + 1, total, text: whole })
    if (this.#parts.size > writersMax) this.#parts.delete(this.#parts.keys().next().value ?? '')
    return null
  }

  memory(): SplitMemory {
    return [...this.#parts].map(([writer, { next, total, text }]) => [writer, next, total, text] as const)
  }
}
