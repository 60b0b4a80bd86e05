import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inodeOf } from './log-file.ts'

/** A file that a log was rotated to. */
export interface RotatedLog {
  readonly path: string
  readonly inode: string
  readonly changedAtNs: bigint
}

/**
 * `mail.log.1`, `mail.log-20261121`, `maillog.20261121-040001` beside the log, oldest first, without empty ones. Compressed
 * ones are not among them: nobody reads in the middle of those.
 */
export function rotated(log: string): RotatedLog[] {
  const name = basename(log)
  return readdirSync(dirname(log))
    .filter(one => one.startsWith(name) && /^[.-]\d[\d.-]*$/.test(one.slice(name.length)))
    .flatMap(one => {
      const path = join(dirname(log), one)
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
      if (stat === undefined || stat.size === 0n) return []
      return [{ path, inode: inodeOf(stat), changedAtNs: stat.mtimeNs, age: ageOf(one.slice(name.length)) }]
    })
    .sort((a, b) => Number(a.changedAtNs - b.changedAtNs) || b.age - a.age)
}

/** What is numbered grows older with the number, what bears a date younger; for files of the same moment. */
function ageOf(suffix: string): number {
  const digits = suffix.replace(/\D/g, '')
  return digits.length < 6 ? Number(digits) : -Number(digits.slice(0, 14))
}
