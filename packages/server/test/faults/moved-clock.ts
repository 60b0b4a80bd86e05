import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The clock of a service, which a test can set. */
export interface MovedClock {
  /** Settings to start the service with. */
  settings: Record<string, string>
  /** Sets how far the clock is ahead of the true time. */
  set(offMs: number): void
}

/** @param folder for the file that the service reads; each clock needs its own folder */
export function newMovedClock(folder: string, offMs = 0): MovedClock {
  const file = join(folder, 'clock-off-by')
  const set = (ms: number): void => {
    writeFileSync(`${file}-next`, String(ms))
    // a file is empty for a moment while it is written
    renameSync(`${file}-next`, file)
  }
  set(offMs)
  const preload = new URL('moved-clock.preload.ts', import.meta.url).href
  return { settings: { NODE_OPTIONS: `--import=${preload}?${pathToFileURL(file).href}` }, set }
}
