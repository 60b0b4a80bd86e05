import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The clock of a service, to be set by a test. */
export interface MovedClock {
  /** What the service has to be started with. */
  settings: Record<string, string>
  /** From now on it is so much ahead of the true time. */
  set(offMs: number): void
}

/** @param folder where the service is told; each clock needs a folder of its own */
export function newMovedClock(folder: string, offMs = 0): MovedClock {
  const file = join(folder, 'clock-off-by')
  const set = (ms: number): void => {
    writeFileSync(`${file}-next`, String(ms))
    // a file that is written is empty for a moment
    renameSync(`${file}-next`, file)
  }
  set(offMs)
  const preload = new URL('moved-clock.preload.ts', import.meta.url).href
  return { settings: { NODE_OPTIONS: `--import=${preload}?${pathToFileURL(file).href}` }, set }
}
