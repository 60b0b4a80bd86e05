import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

// The one file that runs by being loaded: it is a thread, not a module. Messages are answered in their order.
const port = parentPort
if (port === null) throw new Error('embedded-worker runs as a worker thread')
const { directory } = workerData as { directory: string }
const database = await PGlite.create(directory)
let previous: Promise<void> = Promise.resolve()

port.on('message', (message: Uint8Array | 'close') => {
  previous = previous.then(async () => {
    if (message === 'close') {
      await database.close()
      port.close()
      return
    }
    await database.execProtocolRawStream(message, {
      onRawData: bytes => {
        // PGlite reuses its buffer: what is handed over must be a copy
        const copy = bytes.slice()
        port.postMessage(copy, [copy.buffer])
      },
    })
  })
})
port.postMessage('ready')
