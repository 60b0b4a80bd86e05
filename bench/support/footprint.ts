import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The memory and sockets of a process. */
export interface Footprint {
  memoryBytes: number
  /** All sockets: to receivers, to the database and from callers. */
  sockets: number
}

/** The current memory and sockets of a process. Linux only. */
function footprint(pid: number): Footprint {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
  return { memoryBytes: kib * 1_024, sockets: readdirSync(`/proc/${pid}/fd`).filter(isSocket).length }

  function isSocket(descriptor: string): boolean {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`).startsWith('socket:')
    } catch {
      // it was closed after the listing
      return false
    }
  }
}

/** Samples every half second until stopped and returns the maximum. The process must live until then. */
export function watchFootprint(pid: number): Disposable & { stop(): Footprint } {
  const most = footprint(pid)
  const timer = setInterval(() => {
    const now = footprint(pid)
    most.memoryBytes = Math.max(most.memoryBytes, now.memoryBytes)
    most.sockets = Math.max(most.sockets, now.sockets)
  }, 500)
  const stop = (): Footprint => {
    clearInterval(timer)
    return most
  }
  return { stop, [Symbol.dispose]: stop }
}
