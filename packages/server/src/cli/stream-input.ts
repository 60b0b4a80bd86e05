import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs'
import { addAbortSignal } from 'node:stream'
import { CommandError, UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { progressBar } from './progress-bar.ts'
import { stopSignal } from './stop-signal.ts'

/** The input of a command while it is read. */
export interface InputStream {
  /** Throws when the command is stopped. */
  readonly chunks: AsyncIterable<Uint8Array>
  readonly stop: AbortSignal
  readonly showProgress: () => void
}

/**
 * Reads the file in the arguments, or standard input for `-` or no argument, with a progress bar on a terminal.
 * @returns false if the command was stopped before the end
 * @throws CommandError if the file cannot be read, UsageError for more than one
 */
export async function streamInput(
  input: CommandInput,
  consume: (stream: InputStream) => Promise<boolean>,
): Promise<boolean> {
  using source = openInput(input.rest)
  const { size } = source
  const hasBar = !input.flag('json') && process.stderr.isTTY && size !== null
  const bar = hasBar ? progressBar(process.stderr, ' bytes') : null
  const stop = stopSignal()
  try {
    return await consume({
      chunks: source.chunks(stop),
      stop,
      showProgress: () => bar?.show(source.bytesRead(), size ?? 0),
    })
  } catch (error) {
    if (stop.aborted) return false
    throw error
  } finally {
    bar?.end()
  }
}

interface Input extends Disposable {
  chunks(stop: AbortSignal): AsyncIterable<Uint8Array>
  /** In bytes; null if it is not a file. */
  readonly size: number | null
  bytesRead(): number
}

function openInput(names: readonly string[]): Input {
  const [name = '-', second] = names
  if (second !== undefined) throw new UsageError(`unexpected argument "${second}": give one file`)
  const fd = name === '-' ? 0 : opened(name)
  const status = fstatSync(fd)
  if (status.isDirectory()) throw unreadable(name, 'it is a directory')
  let bytesRead = 0
  return {
    size: status.isFile() ? status.size : null,
    bytesRead: () => bytesRead,
    async *chunks(stop) {
      const stream = fd === 0 ? process.stdin : createReadStream('', { fd, autoClose: false })
      for await (const chunk of addAbortSignal(stop, stream)) {
        const bytes = chunk as Buffer
        bytesRead += bytes.length
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
  return new CommandError('file_unreadable', `cannot read ${path}: ${reason}`)
}
