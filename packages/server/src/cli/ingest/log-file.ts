import { createHash } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

/** Where in which file reading stopped. The file is known again under another name, and when it was copied. */
export interface LogPosition {
  readonly inode: string
  /** How many of its first bytes the digest is of. */
  readonly headBytes: number
  readonly headSha256: string
  readonly offset: number
  /** In the middle of a line that is too long to be one, and is left out. */
  readonly isInLongLine: boolean
}

const headBytesMax = 1_024
const chunkBytes = 256 * 1_024

/** A file that is read line by line, each line once. */
export class LogFile implements Disposable {
  readonly inode: string
  readonly #file: number
  #offset: number
  #isInLongLine: boolean
  #head: { bytes: number; sha256: string }

  /** @throws when the file cannot be opened */
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
   * The next whole lines, without their ends; none when there are none yet. Null when somebody has emptied the file
   * and what was read is not in it any more.
   */
  nextLines(): Buffer[] | null {
    for (;;) {
      const chunk = Buffer.alloc(chunkBytes)
      const length = readSync(this.#file, chunk, 0, chunkBytes, this.#offset)
      // only now: what was read before the file was emptied is right, what was read after it is of another file
      if (this.#wasEmptied()) return null
      const lines = this.#split(chunk.subarray(0, length))
      if (lines.length > 0 || length < chunkBytes) return lines
    }
  }

  /** What stands behind the last line's end, in a file that nobody writes to any more. */
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

/** Whether reading stopped in this file, whatever it is called now. */
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

/** Names a file as long as it exists. */
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
