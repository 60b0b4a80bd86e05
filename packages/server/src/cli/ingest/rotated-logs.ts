import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inodeOf } from './log-file.ts'

/** A rotated log file. */
export interface RotatedLog {
  readonly path: string
  readonly inode: string
  readonly changedAtNs: bigint
}

/**
 * The rotated files beside the log (`mail.log.1`, `mail.log-20261121`, `maillog.20261121-040001`), oldest first,
 * without empty ones. It leaves out compressed files, because an offset means nothing in them.
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

/** For files with the same time: a higher number is older, a later date is newer. */
function ageOf(suffix: string): number {
  const digits = suffix.replace(/\D/g, '')
  return digits.length < 6 ? Number(digits) : -Number(digits.slice(0, 14))
}
