import { existsSync } from 'node:fs'
import { newMovedClock } from './moved-clock.ts'

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

/**
 * Settings for a service whose clock is ahead by so many days from its start. Its monotonic clock is correct. It uses
 * libfaketime, or a preload that shifts `Date.now` in every thread.
 * @param folder for the preload's file
 */
export function fakeClock(folder: string, days: number): Record<string, string> {
  if (!existsSync(library)) return newMovedClock(folder, days * 86_400_000).settings
  return { LD_PRELOAD: library, FAKETIME: `+${days}d`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}
