import { constants, copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { freeBytes } from './free-bytes.ts'

/** What must stay free for the database, so that a copy never stops it. */
const freeBytesMin = 128 * 2 ** 20

/**
 * Copies all files of a directory. A file system that can share blocks between files does so.
 * @returns how many bytes of disk space are missing; 0 if the copy is complete
 */
export function copyFiles(directory: string, copy: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  const paths = entries.map(entry => join(entry.parentPath, entry.name)).sort()
  const files = paths.map(path => ({ path, found: statSync(path) }))
  const bytes = files.reduce((sum, { found }) => sum + (found.isFile() ? found.size : 0), 0)
  const missing = bytes + freeBytesMin - freeBytes(dirname(copy))
  if (missing > 0) return missing
  mkdirSync(copy, { mode: 0o700 })
  for (const { path, found } of files) {
    const to = join(copy, relative(directory, path))
    if (found.isDirectory()) mkdirSync(to, { mode: 0o700 })
    else copyFileSync(path, to, constants.COPYFILE_FICLONE)
  }
  return 0
}
