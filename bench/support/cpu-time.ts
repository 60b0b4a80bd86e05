import { readdirSync, readFileSync } from 'node:fs'

/** The clock ticks per second in `/proc`, which is the same on every Linux that Node.js supports. */
const ticksPerSecond = 100

/**
 * The CPU time of a process and its children in milliseconds, including ended children. Linux only.
 * @throws if the process is gone or the system has no `/proc`
 */
export function cpuTimeMs(pid: number): number {
  const ticks = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => readStat(Number(name)))
    .filter(stat => stat.pid === pid || stat.parent === pid)
    .reduce((sum, stat) => sum + stat.own + (stat.pid === pid ? stat.endedChildren : 0), 0)
  return (ticks * 1_000) / ticksPerSecond
}

function readStat(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the second field is a name in parentheses that may contain any character
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const field = (n: number): number => fields[n - 3] ?? 0
    return [{ pid, parent: field(4), own: field(14) + field(15), endedChildren: field(16) + field(17) }]
  } catch {
    // it ended between the listing and here
    return []
  }
}
