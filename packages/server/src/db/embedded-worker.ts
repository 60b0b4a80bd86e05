import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import type { Answer, Dump } from './start-embedded-worker.ts'
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

port.on('message', (message: { to: number; bytes: Uint8Array } | 'close' | 'dump') => {
  previous = previous.then(async () => {
    if (message === 'close') {
      await database.close()
      port.close()
      return
    }
    if (message === 'dump') {
      await dump(port)
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

/** A failed copy, for example for lack of memory, must not end the thread. */
async function dump(to: MessagePort): Promise<void> {
  try {
    const archive = new Uint8Array(await (await database.dumpDataDir('none')).arrayBuffer())
    to.postMessage({ archive } satisfies Dump, [archive.buffer])
  } catch (error) {
    to.postMessage({ archive: null, reason: String(error) } satisfies Dump)
  }
}
