import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** What a process holds of the machine. */
export interface Footprint {
  memoryBytes: number
  /** Of every kind: to receivers, to the database, of those who call it. */
  sockets: number
}

/** Memory and sockets of a process at this moment. Linux only. */
function footprint(pid: number): Footprint {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
  return { memoryBytes: kib * 1_024, sockets: readdirSync(`/proc/${pid}/fd`).filter(isSocket).length }

  function isSocket(descriptor: string): boolean {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`).startsWith('socket:')
    } catch {
      // it was closed between the listing and here
      return false
    }
  }
}

/** Looks every half second, until stopped, and then answers the most that it saw. The process must live until then. */
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
