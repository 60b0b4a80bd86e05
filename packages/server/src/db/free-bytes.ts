import { statfsSync } from 'node:fs'

/** What may still be written where a directory lies; Infinity where the file system does not say. */
export function freeBytes(directory: string): number {
  try {
    const { bavail, bsize, blocks } = statfsSync(directory)
    // a file system without a size, as some in memory are
    return blocks === 0 ? Infinity : bavail * bsize
  } catch {
    return Infinity
  }
}
