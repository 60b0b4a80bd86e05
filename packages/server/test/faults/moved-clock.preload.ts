import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Loaded into a service with `--import`: its clock is off by the milliseconds that stand in a file, which the address it
 * is loaded by names (`?file:///…`). Only the clock that can be set is moved; the one for durations runs on.
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
