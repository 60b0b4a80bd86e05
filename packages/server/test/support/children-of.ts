import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The running child processes of a process. */
export function childrenOf(parent: number): number[] {
  const all = existsSync('/proc/self/stat') ? fromProc() : fromPs()
  return all.filter(([, of]) => of === parent).map(([pid]) => pid)
}

/** Linux has /proc, so no program is needed. */
function fromProc(): Array<[pid: number, parent: number]> {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        // the program's name is in parentheses and may contain spaces and parentheses
        const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
        return [[Number(name), Number(fields[1])] as [number, number]]
      } catch {
        // it has ended in the meantime
        return []
      }
    })
}

function fromPs(): Array<[pid: number, parent: number]> {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map(line => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
    return [pid, parent]
  })
}
