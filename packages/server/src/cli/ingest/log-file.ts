import { createHash } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

/** Where reading stopped, and a digest that identifies the file after it was renamed or copied. */
export interface LogPosition {
  readonly inode: string
  /** How many bytes at the start of the file the digest covers. */
  readonly headBytes: number
  readonly headSha256: string
  readonly offset: number
  /** Whether reading stopped inside a line that is too long and is skipped. */
  readonly isInLongLine: boolean
}

const headBytesMax = 1_024
const chunkBytes = 256 * 1_024

/** Reads a file line by line. */
export class LogFile implements Disposable {
  readonly inode: string
  readonly #file: number
  #offset: number
  #isInLongLine: boolean
  #head: { bytes: number; sha256: string }

  /** @throws if the file cannot be opened */
  constructor(path: string, from: Pick<LogPosition, 'offset' | 'isInLongLine'>) {
    this.#file = openSync(path, 'r')
    this.inode = inodeOf(fstatSync(this.#file, { bigint: true }))
    this.#offset = from.offset
    this.#isInLongLine = from.isInLongLine
    const head = readHead(this.#file, headBytesMax)
    this.#head = { bytes: head.length, sha256: digest(head) }
  }

  get position(): LogPosition {
    return {
      inode: this.inode,
      headBytes: this.#head.bytes,
      headSha256: this.#head.sha256,
      offset: this.#offset,
      isInLongLine: this.#isInLongLine,
    }
  }

  get bytesLeft(): number {
    return Math.max(0, fstatSync(this.#file).size - this.#offset)
  }

  get changedAtNs(): bigint {
    return fstatSync(this.#file, { bigint: true }).mtimeNs
  }

  /**
   * The next complete lines, without line breaks; empty if there are none yet. Null if the file was emptied since the
   * last call.
   */
  nextLines(): Buffer[] | null {
    for (;;) {
      const chunk = Buffer.alloc(chunkBytes)
      const length = readSync(this.#file, chunk, 0, chunkBytes, this.#offset)
      // checked after the read: if the file was emptied before it, the chunk is not the continuation
      if (this.#wasEmptied()) return null
      const lines = this.#split(chunk.subarray(0, length))
      if (lines.length > 0 || length < chunkBytes) return lines
    }
  }

  /** The text after the last line break, in a file that is complete. */
  lastLine(): Buffer | null {
    const rest = Buffer.alloc(chunkBytes)
    const length = readSync(this.#file, rest, 0, chunkBytes, this.#offset)
    return length === 0 || this.#isInLongLine ? null : rest.subarray(0, length)
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }

  #split(chunk: Buffer): Buffer[] {
    const end = chunk.lastIndexOf(newline) + 1
    if (end === 0 && chunk.length === chunkBytes) {
      this.#offset += chunk.length
      this.#isInLongLine = true
    }
    const lines: Buffer[] = []
    for (let from = 0; from < end; ) {
      const to = chunk.indexOf(newline, from)
      if (!this.#isInLongLine) lines.push(chunk.subarray(from, to))
      this.#isInLongLine = false
      from = to + 1
    }
    this.#offset += end
    return lines
  }

  #wasEmptied(): boolean {
    if (fstatSync(this.#file).size < this.#offset) return true
    const head = readHead(this.#file, headBytesMax)
    if (digest(head.subarray(0, this.#head.bytes)) !== this.#head.sha256) return true
    this.#head = { bytes: head.length, sha256: digest(head) }
    return false
  }
}

/** Whether reading stopped in this file, even if it has another name now. */
export function isFileOf(path: string, { inode, headBytes, headSha256, offset }: LogPosition): boolean {
  if (!existsSync(path)) return false
  const file = openSync(path, 'r')
  try {
    const stat = fstatSync(file, { bigint: true })
    if (headBytes === 0) return inodeOf(stat) === inode
    return stat.size >= offset && digest(readHead(file, headBytes)) === headSha256
  } finally {
    closeSync(file)
  }
}

const newline = 0x0a

/** Identifies a file while it exists. */
export function inodeOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`
}

function readHead(file: number, bytesMax: number): Buffer {
  const head = Buffer.alloc(bytesMax)
  return head.subarray(0, readSync(file, head, 0, bytesMax, 0))
}

function digest(head: Buffer): string {
  return createHash('sha256').update(head).digest('hex')
}
