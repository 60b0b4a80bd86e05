import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of a few hundred megabytes that a test can fill completely. */
export interface SmallDisk extends Disposable {
  folder: string
  /** Fills the disk except for `leftMebibytes`, rounded down. */
  fill(leftMebibytes?: number): void
  /** Frees the space that `fill` used. */
  free(): void
}

/** Mounts the disk. It needs Linux and root. */
export function mountSmallDisk(mebibytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-small-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=1777`, 'none', folder])
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill: (leftMebibytes = 0) => {
      fillWith(ballast)
      if (leftMebibytes > 0) truncateSync(ballast, statSync(ballast).size - leftMebibytes * 2 ** 20)
    },
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]: () => {
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

function fillWith(path: string): void {
  const file = openSync(path, 'a')
  for (let size = 2 ** 20; size >= 1; ) {
    try {
      writeSync(file, Buffer.alloc(size))
    } catch {
      size = Math.floor(size / 2)
    }
  }
  closeSync(file)
}
