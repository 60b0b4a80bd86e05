import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { NoSpaceForCopyError } from './database.ts'
import type { EmbeddedThread } from './embedded-thread.ts'
import { writeTar } from './write-tar.ts'

const foldersName = 'backing-up'

/**
 * Gives all files of the database as a tar archive. The database answers nothing while its files are copied on its disk. It
 * works again before the first piece is read, so a slow reader does not delay it. The copy lasts until the stream closes.
 * @throws NoSpaceForCopyError
 */
export async function dumpEmbedded(thread: EmbeddedThread, dataDir: string): Promise<Readable> {
  const folders = join(dataDir, foldersName)
  mkdirSync(folders, { recursive: true, mode: 0o700 })
  const folder = mkdtempSync(join(folders, 'copy-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, 'database')
    const missingBytes = await thread.copyTo(copy)
    if (missingBytes > 0) throw new NoSpaceForCopyError(missingBytes)
    return Readable.from(writeTar(copy), { objectMode: false }).once('close', remove)
  } catch (error) {
    remove()
    throw error
  }
}

/** Removes the copies of a process that was killed. */
export function removeCopies(dataDir: string): void {
  rmSync(join(dataDir, foldersName), { recursive: true, force: true })
}
