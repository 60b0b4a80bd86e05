import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar'

/**
 * Writes the directories and files of a tar archive below a directory, which must exist. It holds few pieces in memory.
 * @throws Error if the archive ends within a file, or contains anything else than directories and files
 */
export async function extractTar(archive: AsyncIterable<Uint8Array>, directory: string): Promise<void> {
  const others: string[] = []
  const extracting = extract({
    cwd: directory,
    strict: true,
    preserveOwner: false,
    // a link could lead the database out of its directory
    filter: (path, entry) => {
      const isExpected = 'type' in entry && ['File', 'OldFile', 'Directory'].includes(entry.type)
      if (!isExpected) others.push(path)
      return isExpected
    },
  })
  const target = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      if (extracting.write(piece)) done()
      else extracting.once('drain', () => done())
    },
    final: done => {
      extracting.once('finish', () => done())
      extracting.end()
    },
  })
  extracting.on('error', error => target.destroy(error instanceof Error ? error : new Error(String(error))))
  await pipeline(archive, target)
  if (others.length > 0) throw new Error(`${others[0]} is neither a directory nor a file`)
}
