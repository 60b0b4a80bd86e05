import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs'
import { addAbortSignal } from 'node:stream'
import { CommandError, UsageError } from './command-error.ts'

/** A file, or standard input, that is read piece by piece. */
export interface Input extends Disposable {
  /** Ends with an error when told to stop. */
  chunks(stop: AbortSignal): AsyncIterable<Uint8Array>
  /** In bytes; null where the end is not known. */
  readonly size: number | null
  /** How many bytes were read so far. */
  read(): number
}

/**
 * Opens what a command was given without a name: one file, or standard input for `-` or nothing.
 * @throws CommandError when it cannot be read, UsageError for more than one
 */
export function openInput(names: readonly string[]): Input {
  const [name = '-', second] = names
  if (second !== undefined) throw new UsageError(`"${second}" does not belong here: give one file`)
  const fd = name === '-' ? 0 : opened(name)
  const status = fstatSync(fd)
  if (status.isDirectory()) throw unreadable(name, 'it is a directory')
  let read = 0
  return {
    size: status.isFile() ? status.size : null,
    read: () => read,
    async *chunks(stop) {
      const stream = fd === 0 ? process.stdin : createReadStream('', { fd, autoClose: false })
      for await (const chunk of addAbortSignal(stop, stream)) {
        const bytes = chunk as Buffer
        read += bytes.length
        yield bytes
      }
    },
    [Symbol.dispose]: () => {
      if (fd !== 0) closeSync(fd)
    },
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : String(error))
  }
}

function unreadable(path: string, reason: string): CommandError {
  return new CommandError('file_unreadable', `${path} cannot be read: ${reason}`)
}
