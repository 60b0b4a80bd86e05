import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Loaded into a service with `--import`. It shifts the service's clock by the milliseconds in the file in its URL
 * (`?file:///…`). It does not shift the monotonic clock.
 */
const file = fileURLToPath(new URL(import.meta.url).search.slice(1))
const { now } = Date
let offMs = 0
function look(): void {
  offMs = Number(readFileSync(file, 'utf8'))
}
look()
setInterval(look, 50).unref()
Date.now = () => now() + offMs
