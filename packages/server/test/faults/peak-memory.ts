import { existsSync, readFileSync } from 'node:fs'

/** The most memory that a process has ever held, in bytes; 0 where the system does not tell. */
export function peakMemoryBytes(pid: number): number {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return 0
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) * 1_024
}
