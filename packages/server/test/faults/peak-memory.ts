import { existsSync, readFileSync } from 'node:fs'

/** The peak memory of a process in bytes; 0 if the system does not report it. */
export function peakMemoryBytes(pid: number): number {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return 0
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) * 1_024
}
