import { existsSync } from 'node:fs'
import { newMovedClock } from './moved-clock.ts'

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

/**
 * The settings of a service whose clock is so much ahead from its first moment on, with the true monotonic clock: by
 * libfaketime, or where that is not installed by a preload that moves `Date.now` in every thread.
 * @param folder for the preload's file
 */
export function fakeClock(folder: string, days: number): Record<string, string> {
  if (!existsSync(library)) return newMovedClock(folder, days * 86_400_000).settings
  return { LD_PRELOAD: library, FAKETIME: `+${days}d`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}
