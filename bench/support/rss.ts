import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { median } from './median.ts'

/** Memory that a process occupies now (resident set), in MiB. Linux only. */
export function rssMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kib === undefined) throw new Error(`process ${pid} has no memory`)
  return Number(kib) / 1_024
}

/**
 * The median of samples a second apart. The clock is the point: V8 compiles in the background and gives memory back by
 * its own timers, and tells nobody.
 */
export async function medianRssMiB(pid: number, seconds: number): Promise<number> {
  const samples = [rssMiB(pid)]
  while (samples.length <= seconds) {
    await wait(1_000)
    samples.push(rssMiB(pid))
  }
  return median(samples)
}
