import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

export const blockBytes = 512
const pieceBytes = 64 * 1024
const nameBytesMax = 100

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
    const name = relative(directory, path)
    yield tarHeader(name, { isDirectory: found.isDirectory(), bytes: found.size, mtimeMs: found.mtimeMs })
    if (!found.isDirectory()) yield* content(path, found.size)
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

interface Entry {
  isDirectory: boolean
  bytes: number
  mtimeMs: number
}

function tarHeader(name: string, { isDirectory, bytes, mtimeMs }: Entry): Uint8Array {
  if (Buffer.byteLength(name) > nameBytesMax) throw new Error(`the name ${name} is too long for the archive`)
  const header = Buffer.alloc(blockBytes)
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), at)
  header.write(name, 0)
  octal(isDirectory ? 0o700 : 0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(isDirectory ? 0 : bytes, 124, 12)
  octal(Math.floor(mtimeMs / 1_000), 136, 12)
  header.write(isDirectory ? '5' : '0', 156)
  header.write('ustar\0' + '00', 257)
  header.write(' '.repeat(8), 148)
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return header
}
