import { statSync } from 'node:fs'
import { inodeOf, isFileOf, LogFile, type LogPosition } from './log-file.ts'
import { rotated } from './rotated-logs.ts'

/**
 * Reads a log across rotations, by renaming or by `copytruncate`. After a rotation it finishes the rotated file first,
 * even if the rotation happened between two runs.
 */
export class FollowedLog implements Disposable {
  readonly #path: string
  #file: LogFile
  /** Whether the open file is the log itself, not a rotated one. */
  #isCurrent: boolean
  /** Whether the file in which reading stopped is gone. */
  readonly hasLostItsPlace: boolean

  /** @throws if the file does not exist */
  constructor(path: string, position: LogPosition | null) {
    this.#path = path
    const from = position === null ? null : placeOf(path, position)
    this.hasLostItsPlace = position !== null && from === null
    this.#file = new LogFile(from ?? path, from === null || position === null ? start : position)
    this.#isCurrent = from === null || from === path
  }

  get position(): LogPosition {
    return this.#file.position
  }

  get bytesLeft(): number {
    const rest = this.#isCurrent ? [] : [...this.#newerThan(this.#file), this.#path]
    return rest.reduce(
      (sum, one) => sum + (statSync(one, { throwIfNoEntry: false })?.size ?? 0),
      this.#file.bytesLeft,
    )
  }

  /** The next lines; empty if there are none yet. */
  nextLines(): Buffer[] {
    const lines = this.#file.nextLines()
    if (lines === null) return this.#afterEmptying()
    if (lines.length > 0) return lines
    return this.#isCurrent && !this.#isReplaced() ? [] : this.#nextFile()
  }

  /** The last line if it has no line break yet. It does not count as read, because Postfix may still be writing it. */
  unfinishedLine(): Buffer | null {
    return this.#file.lastLine()
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]()
  }

  /** Whether the path has a new file with lines: then the writer has finished the old one. */
  #isReplaced(): boolean {
    const now = statSync(this.#path, { bigint: true, throwIfNoEntry: false })
    return now !== undefined && now.size > 0n && inodeOf(now) !== this.#file.inode
  }

  #nextFile(): Buffer[] {
    // the writer may have added lines before it switched to the new file
    const more = this.#file.nextLines() ?? []
    if (more.length > 0) return more
    const last = this.#file.lastLine()
    const next = this.#newerThan(this.#file)[0] ?? this.#path
    // an empty file cannot be recognized later, so keep the position in the old one
    if ((statSync(next, { throwIfNoEntry: false })?.size ?? 0) === 0) return []
    this.#open(next, start)
    return last === null ? this.nextLines() : [last]
  }

  /** The lines that were not read before the log was emptied are in its copy. */
  #afterEmptying(): Buffer[] {
    const { position } = this.#file
    const copy = rotated(this.#path).find(({ path }) => isFileOf(path, position))?.path
    if (copy === undefined) this.#open(this.#path, start)
    else this.#open(copy, position)
    return this.nextLines()
  }

  #open(path: string, from: Pick<LogPosition, 'offset' | 'isInLongLine'>): void {
    const next = new LogFile(path, from)
    this.#file[Symbol.dispose]()
    this.#file = next
    this.#isCurrent = path === this.#path
  }

  #newerThan({ inode, changedAtNs }: LogFile): string[] {
    const all = rotated(this.#path)
    const own = all.findIndex(one => one.inode === inode)
    const newer = own < 0 ? all.filter(one => one.changedAtNs > changedAtNs) : all.slice(own + 1)
    return newer.map(({ path }) => path)
  }
}

const start = { offset: 0, isInLongLine: false }

/** The file in which reading stopped. */
function placeOf(path: string, position: LogPosition): string | null {
  const all = [path, ...rotated(path).map(one => one.path)]
  return all.find(one => isFileOf(one, position)) ?? null
}
