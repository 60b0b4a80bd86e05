import { BrokenAnswer, type Flaw } from './broken-answer.ts'

const nothing: Buffer = Buffer.alloc(0)
const carriageReturn = 0x0d
const lineFeed = 0x0a

/** Buffers the beginning of a line or head until its end arrives. It scans each byte once, even in tiny pieces. */
export class PartialBytes {
  #buffer = nothing
  #length = 0

  get isEmpty(): boolean {
    return this.#length === 0
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  /**
   * Reads up to `mark`, which ends with CR LF.
   * @returns the text before the mark as latin1, or null if the mark has not arrived; and how many bytes of `next` were used
   * @throws BrokenAnswer with `flaw` if the text is too long, with `line ends` if a line does not end with CR LF
   */
  readUntil(mark: Buffer, next: Buffer, bytesMax: number, flaw: Flaw): { text: string | null; used: number } {
    const bufferedBytes = this.#length
    const whole = bufferedBytes === 0 ? next : this.#add(next)
    const end = whole.indexOf(mark, Math.max(0, bufferedBytes - mark.length + 1))
    if (end > bytesMax || (end < 0 && whole.length > bytesMax)) throw new BrokenAnswer(flaw)
    if (end < 0) {
      refuseOtherLineEnds(whole, bufferedBytes)
      if (bufferedBytes === 0) this.#add(next)
      return { text: null, used: next.length }
    }
    const text = whole.toString('latin1', 0, end)
    this.#buffer = nothing
    this.#length = 0
    return { text, used: end + mark.length - bufferedBytes }
  }

  #add(next: Buffer): Buffer {
    const length = this.#length + next.length
    if (length > this.#buffer.length) this.#buffer = Buffer.concat([this.bytes], 2 * length)
    this.#buffer.set(next, this.#length)
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
