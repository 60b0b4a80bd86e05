import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import type { Answer, Dump } from './embedded-thread.ts'
import { lookupsOnlySettings } from './session-settings.ts'

// The one file that runs by being loaded: it is a thread, not a module. Messages are answered in their order.
const port = parentPort
if (port === null) throw new Error('embedded-worker runs as a worker thread')
const { directory } = workerData as { directory: string }
// One session serves all, the hot path included. What it caches is memory that stays taken, and the system caches the
// same files: half of PostgreSQL's default.
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
      onRawData: said => {
        // PGlite reuses its buffer: what is handed over must be a copy
        const copy = said.slice()
        port.postMessage({ to, bytes: copy } satisfies Answer, [copy.buffer])
      },
    })
    port.postMessage({ to, bytes: null } satisfies Answer)
  })
})
port.postMessage('ready')

/** A copy that fails, for want of memory say, must not end the thread. */
async function dump(to: MessagePort): Promise<void> {
  try {
    const archive = new Uint8Array(await (await database.dumpDataDir('none')).arrayBuffer())
    to.postMessage({ archive } satisfies Dump, [archive.buffer])
  } catch (error) {
    to.postMessage({ archive: null, reason: String(error) } satisfies Dump)
  }
}
