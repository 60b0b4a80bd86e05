import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** A piece of the answer to message `to`; null when the answer is complete. */
export interface Answer {
  to: number
  bytes: Uint8Array | null
}

/** The end of a copy of all files: how many bytes of disk space are missing for it, or the error that stopped it. */
export type Copied = { copied: { missingBytes: number } | { reason: string } }

/** Starts PGlite in a thread and waits until the database has recovered. */
export async function startEmbeddedWorker(directory: string): Promise<Worker> {
  const file = new URL(`./embedded-worker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(file, { workerData: { directory } })
  const ended = once(worker, 'exit').then(([code]) => {
    throw new Error(`the embedded database's thread ended with ${code} before it was ready`)
  })
  ended.catch(() => {})
  await Promise.race([once(worker, 'message'), ended])
  return worker
}
