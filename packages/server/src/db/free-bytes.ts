import { statfsSync } from 'node:fs'

/** The free space of the file system of a directory; Infinity if the file system does not report it. */
export function freeBytes(directory: string): number {
  try {
    const { bavail, bsize, blocks } = statfsSync(directory)
    // some file systems in memory report no size
    return blocks === 0 ? Infinity : bavail * bsize
  } catch {
    return Infinity
  }
}
