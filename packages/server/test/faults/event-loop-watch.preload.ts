import { appendFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

/**
 * Loaded into a service with `--import`. Every five seconds it writes a line with the 99th percentile of the event loop's
 * delay, in milliseconds, to the file in its URL (`?file:///…`).
 */
const resolutionMs = 20
const file = fileURLToPath(new URL(import.meta.url).search.slice(1))
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
delay.enable()
setInterval(() => {
  appendFileSync(file, `${Math.max(0, delay.percentile(99) / 1e6 - resolutionMs).toFixed(1)}\n`)
  delay.reset()
}, 5_000).unref()
