import { statSync } from 'node:fs'
import { inodeOf, isFileOf, LogFile, type LogPosition } from './log-file.ts'
import { rotated } from './rotated-logs.ts'

/**
 * A log that is rotated while it is read: by renaming it, or by copying and emptying it (`copytruncate`). What was
 * not yet read when that happened is read from the file that it went to, also when nobody was reading at the time.
 */
export class FollowedLog implements Disposable {
  readonly #path: string
  #file: LogFile
  /** Whether the file that is read is the log itself. */
  #isCurrent: boolean
  /** Whether reading could not go on where it had stopped, because that file is gone. */
  readonly hasLostItsPlace: boolean

  /** @throws when there is no such file */
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
    const rest = this.#isCurrent ? [] : [...this.#youngerThan(this.#file), this.#path]
    return rest.reduce(
      (sum, one) => sum + (statSync(one, { throwIfNoEntry: false })?.size ?? 0),
      this.#file.bytesLeft,
    )
  }

  /** The next lines; none when there are none yet. */
  nextLines(): Buffer[] {
    const lines = this.#file.nextLines()
    if (lines === null) return this.#afterEmptying()
    if (lines.length > 0) return lines
    return this.#isCurrent && !this.#isReplaced() ? [] : this.#nextFile()
  }

  /** The line without an end at the end of the log, which may still be being written: it is not counted as read. */
  unfinishedLine(): Buffer | null {
    return this.#file.lastLine()
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]()
  }

  /** The log has another file now, and that has lines: who writes them has left this one. */
  #isReplaced(): boolean {
    const now = statSync(this.#path, { bigint: true, throwIfNoEntry: false })
    return now !== undefined && now.size > 0n && inodeOf(now) !== this.#file.inode
  }

  #nextFile(): Buffer[] {
    // what was written between the last look and the new file's first line
    const more = this.#file.nextLines() ?? []
    if (more.length > 0) return more
    const last = this.#file.lastLine()
    const next = this.#youngerThan(this.#file)[0] ?? this.#path
    // until it has lines, the place in this file is the one by which reading would go on
    if ((statSync(next, { throwIfNoEntry: false })?.size ?? 0) === 0) return []
    this.#open(next, start)
    return last === null ? this.nextLines() : [last]
  }

  /** What was not yet read before the log was emptied stands in its copy. */
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

  #youngerThan({ inode, changedAtNs }: LogFile): string[] {
    const all = rotated(this.#path)
    const own = all.findIndex(one => one.inode === inode)
    const younger = own < 0 ? all.filter(one => one.changedAtNs > changedAtNs) : all.slice(own + 1)
    return younger.map(({ path }) => path)
  }
}

const start = { offset: 0, isInLongLine: false }

/** The file in which reading stopped. */
function placeOf(path: string, position: LogPosition): string | null {
  const all = [path, ...rotated(path).map(one => one.path)]
  return all.find(one => isFileOf(one, position)) ?? null
}
