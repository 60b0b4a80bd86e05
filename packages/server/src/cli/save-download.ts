import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CommandError } from './command-error.ts'

/** @throws CommandError `file_exists`, because a command never overwrites a file */
export function refuseExisting(path: string): void {
  if (existsSync(path)) throw new CommandError('file_exists', `${path} already exists: use another file name`)
}

/**
 * Writes a download to a new file that only its owner can read. The file gets its final name when it is complete.
 * @throws CommandError with the given code
 */
export async function saveDownload(
  path: string,
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  code: string,
): Promise<void> {
  const part = `${path}.part`
  try {
    await pipeline(body, createWriteStream(part, { mode: 0o600, flush: true }))
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(code, `${path} was not written: ${reason}`, { cause: error })
  }
}
