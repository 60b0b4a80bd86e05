import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Header } from 'tar'

const blockBytes = 512
const pieceBytes = 64 * 1024

/**
 * Gives all directories and files below a directory as a tar archive, piece by piece. Nobody may write to them meanwhile.
 * @throws Error if a file changes or disappears, or if its name does not fit
 */
export async function* writeTar(directory: string): AsyncGenerator<Uint8Array, void, undefined> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  // parents come before what they contain
  const paths = entries.map(entry => join(entry.parentPath, entry.name)).sort()
  for (const path of paths) {
    const found = statSync(path)
    const isDirectory = found.isDirectory()
    const header = new Header({
      path: relative(directory, path),
      type: isDirectory ? 'Directory' : 'File',
      mode: isDirectory ? 0o700 : 0o600,
      uid: 0,
      gid: 0,
      size: isDirectory ? 0 : found.size,
      mtime: found.mtime,
    })
    if (header.encode()) throw new Error(`the name ${header.path} is too long for the archive`)
    if (header.block !== undefined) yield header.block
    if (!isDirectory) yield* content(path, found.size)
  }
  yield new Uint8Array(2 * blockBytes)
}

async function* content(path: string, bytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  let read = 0
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes })) {
    read += (piece as Buffer).length
    yield piece as Buffer
  }
  if (read !== bytes) throw new Error(`${path} changed while it was read`)
  yield new Uint8Array((blockBytes - (bytes % blockBytes)) % blockBytes)
}
