import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Loaded into a service with `--import`: keeps the longest time, in milliseconds, for which the event loop's thread has
 * worked without coming to a timer, in the file that the address it is loaded by names (`?file:///…`). It begins anew
 * when the file is removed. It counts the thread's own time, so that a machine with a lot to do does not make it longer.
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
