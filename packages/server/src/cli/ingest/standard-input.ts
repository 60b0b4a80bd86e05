import type { Readable } from 'node:stream'

/** Where lines come from: a followed file, or standard input. */
export interface LineSource extends Disposable {
  /** The next lines without line breaks; empty at the end, or if a file has no more yet. */
  nextLines(): Buffer[] | Promise<Buffer[]>
  /** The last line if it has no line break. */
  unfinishedLine(): Buffer | null
}

/** A longer line is skipped, as in a file. */
const lineBytesMax = 256 * 1_024

/** Reads standard input line by line, until it ends or the command is stopped. */
export class StandardInput implements LineSource {
  readonly #chunks: AsyncIterator<unknown>
  #rest = Buffer.alloc(0)
  #isInLongLine = false

  constructor(input: Readable, stop: AbortSignal) {
    // a reader that waits for input would keep the process
    stop.addEventListener('abort', () => input.destroy())
    this.#chunks = input.iterator({ destroyOnReturn: false })
  }

  async nextLines(): Promise<Buffer[]> {
    for (;;) {
      const chunk = await this.#nextChunk()
      if (chunk === null) return []
      const lines = this.#split(chunk)
      if (lines.length > 0) return lines
    }
  }

  unfinishedLine(): Buffer | null {
    return this.#isInLongLine || this.#rest.length === 0 ? null : this.#rest
  }

  [Symbol.dispose](): void {
    void this.#chunks.return?.()
  }

  async #nextChunk(): Promise<Buffer | null> {
    try {
      const { done, value } = await this.#chunks.next()
      return done === true ? null : (value as Buffer)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')
        return null
      throw error
    }
  }

  #split(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = []
    let from = 0
    for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
      if (!this.#isInLongLine) lines.push(Buffer.concat([this.#rest, chunk.subarray(from, to)]))
      this.#rest = Buffer.alloc(0)
      this.#isInLongLine = false
      from = to + 1
    }
    if (!this.#isInLongLine) this.#rest = Buffer.concat([this.#rest, chunk.subarray(from)])
    if (this.#rest.length > lineBytesMax) {
      this.#rest = Buffer.alloc(0)
      this.#isInLongLine = true
    }
    return lines
  }
}

const newline = 0x0a
