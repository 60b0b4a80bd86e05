import { BrokenAnswer, type Flaw } from './broken-answer.ts'

const nothing: Buffer = Buffer.alloc(0)
const carriageReturn = 0x0d
const lineFeed = 0x0a

/** The beginning of a line, or of a head, whose end has not come yet. Looks at each byte once, however small the pieces are. */
export class PartialBytes {
  #space = nothing
  #length = 0

  get isEmpty(): boolean {
    return this.#length === 0
  }

  get bytes(): Buffer {
    return this.#space.subarray(0, this.#length)
  }

  /**
   * Reads up to `mark`, which ends with CR LF.
   * @returns the text before it, a character for each byte, or null when the mark has not come; and how many of `next` were used
   * @throws BrokenAnswer of this flaw when the text is longer than `bytesMax`; `line ends` when a line ends otherwise
   */
  readUntil(mark: Buffer, next: Buffer, bytesMax: number, flaw: Flaw): { text: string | null; used: number } {
    const heldBytes = this.#length
    const whole = heldBytes === 0 ? next : this.#add(next)
    const end = whole.indexOf(mark, Math.max(0, heldBytes - mark.length + 1))
    if (end > bytesMax || (end < 0 && whole.length > bytesMax)) throw new BrokenAnswer(flaw)
    if (end < 0) {
      refuseOtherLineEnds(whole, heldBytes)
      if (heldBytes === 0) this.#add(next)
      return { text: null, used: next.length }
    }
    const text = whole.toString('latin1', 0, end)
    this.#space = nothing
    this.#length = 0
    return { text, used: end + mark.length - heldBytes }
  }

  #add(next: Buffer): Buffer {
    const length = this.#length + next.length
    if (length > this.#space.length) this.#space = Buffer.concat([this.bytes], 2 * length)
    this.#space.set(next, this.#length)
    this.#length = length
    return this.bytes
  }
}

function refuseOtherLineEnds(bytes: Buffer, from: number): void {
  for (let n = from; n < bytes.length; n++) {
    const isAfterReturn = n > 0 && bytes[n - 1] === carriageReturn
    if ((bytes[n] === lineFeed) !== isAfterReturn) throw new BrokenAnswer('line ends')
  }
}
