import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { median } from './median.ts'

/** The current resident memory of a process in MiB. Linux only. */
export function rssMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kib === undefined) throw new Error(`process ${pid} has no memory`)
  return Number(kib) / 1_024
}

/**
 * The median of samples taken once a second. It needs real time, because V8 compiles and frees memory in the background
 * without a signal.
 */
export async function medianRssMiB(pid: number, seconds: number): Promise<number> {
  const samples = [rssMiB(pid)]
  while (samples.length <= seconds) {
    await wait(1_000)
    samples.push(rssMiB(pid))
  }
  return median(samples)
}
