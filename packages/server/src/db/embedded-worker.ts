import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { copyFiles } from './copy-files.ts'
import type { Answer, Copied } from './start-embedded-worker.ts'
import { lookupsOnlySettings } from './session-settings.ts'

// This file runs when it is loaded because it is the entry point of a thread. It answers messages in order.
const port = parentPort
if (port === null) throw new Error('embedded-worker runs as a worker thread')
const { directory } = workerData as { directory: string }
// Half of PostgreSQL's default: PGlite never returns this memory, and the operating system caches the same files.
const settings = ['shared_buffers=64MB', ...lookupsOnlySettings].flatMap(setting => ['-c', setting])
const database = await PGlite.create(directory, {
  startParams: [...PGlite.defaultStartParams, ...settings],
})
let previous: Promise<void> = Promise.resolve()

port.on('message', (message: { to: number; bytes: Uint8Array } | { copyTo: string } | 'close') => {
  previous = previous.then(async () => {
    if (message === 'close') {
      await database.close()
      port.close()
      return
    }
    if ('copyTo' in message) {
      copy(port, message.copyTo)
      return
    }
    const { to, bytes } = message
    await database.execProtocolRawStream(bytes, {
      onRawData: piece => {
        // PGlite reuses its buffer
        const copy = piece.slice()
        port.postMessage({ to, bytes: copy } satisfies Answer, [copy.buffer])
      },
    })
    port.postMessage({ to, bytes: null } satisfies Answer)
  })
})
port.postMessage('ready')

/** A failed copy, for example for lack of disk space, must not end the thread. */
function copy(to: MessagePort, path: string): void {
  try {
    to.postMessage({ copied: { missingBytes: copyFiles(directory, path) } } satisfies Copied)
  } catch (error) {
    to.postMessage({ copied: { reason: String(error) } } satisfies Copied)
  }
}
