import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { blockBytes } from './write-tar.ts'

/**
 * Writes the directories and files of a tar archive below a directory, which must exist. It holds one piece in memory.
 * @throws Error if the archive ends within a file, or contains anything else than directories and files
 */
export async function readTar(archive: AsyncIterable<Uint8Array>, directory: string): Promise<void> {
  let header = Buffer.alloc(0)
  let file: { descriptor: number; bytesLeft: number; paddingLeft: number } | null = null
  try {
    for await (let piece of archive) {
      while (piece.length > 0) {
        if (file === null) {
          const wanted = piece.subarray(0, blockBytes - header.length)
          piece = piece.subarray(wanted.length)
          header = Buffer.concat([header, wanted])
          if (header.length < blockBytes) continue
          file = startEntry(header, directory)
          header = Buffer.alloc(0)
        } else {
          const data = piece.subarray(0, file.bytesLeft)
          writeAll(file.descriptor, data)
          file.bytesLeft -= data.length
          const padding = piece.subarray(data.length, data.length + file.paddingLeft)
          if (file.bytesLeft === 0) file.paddingLeft -= padding.length
          piece = piece.subarray(data.length + padding.length)
        }
        if (file !== null && file.bytesLeft === 0 && file.paddingLeft === 0) {
          closeSync(file.descriptor)
          file = null
        }
      }
    }
    if (file !== null || header.length > 0) throw new Error('the archive ends within a file')
  } finally {
    if (file !== null) closeSync(file.descriptor)
  }
}

/** Returns the file whose content follows; null for a directory and for the blocks at the end. */
function startEntry(
  header: Buffer,
  directory: string,
): { descriptor: number; bytesLeft: number; paddingLeft: number } | null {
  if (header.every(byte => byte === 0)) return null
  const text = (at: number, length: number) => header.toString('utf8', at, at + length).replace(/\0.*$/s, '')
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (sum !== Number.parseInt(text(148, 8), 8)) throw new Error('it is not a tar archive')
  const parts = text(0, 100)
    .split('/')
    .filter(part => part !== '')
  if (parts.includes('..')) throw new Error(`the archive contains the name ${parts.join('/')}`)
  const path = join(directory, ...parts)
  const kind = text(156, 1)
  if (kind === '5') {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return null
  }
  if (kind !== '0') throw new Error(`the archive contains an entry of the kind ${kind}`)
  const bytes = Number.parseInt(text(124, 12), 8)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return {
    descriptor: openSync(path, 'wx', 0o600),
    bytesLeft: bytes,
    paddingLeft: (blockBytes - (bytes % blockBytes)) % blockBytes,
  }
}

function writeAll(descriptor: number, data: Uint8Array): void {
  for (let written = 0; written < data.length; ) written += writeSync(descriptor, data, written)
}
