import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Loaded into a service with `--import`. It measures the longest time, in milliseconds, that the event loop worked without
 * running a timer, and writes it to the file in its URL (`?file:///…`). It starts again when the file is removed. It counts
 * the thread's CPU time, so that a busy machine does not matter.
 */
const everyMs = 5
const file = fileURLToPath(new URL(import.meta.url).search.slice(1))
let most = 0
let before = process.threadCpuUsage()
setInterval(() => {
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  const ms = (user + system) / 1_000
  if (ms <= most && existsSync(file)) return
  most = existsSync(file) ? ms : 0
  writeFileSync(file, String(most))
}, everyMs).unref()
