import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { findPostgres } from '../../packages/server/test/support/postgres-server.ts'
import { memoryLatencyNs } from './memory-latency.ts'

/** The machine of the measurements, in one line. */
export function machine(): string {
  const postgres = findPostgres()[0]?.version ?? 'none'
  const size = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${size}, Node ${process.version}, PostgreSQL ${postgres}${kernelSettings()}, ${memory()}`
}

/** The kernel settings from docs/run/postgresql.md that are in force. */
function kernelSettings(): string {
  const writesBackAtBytes = numberIn('/proc/sys/vm/dirty_background_bytes')
  const idlePollNs = numberIn('/sys/module/haltpoll/parameters/guest_halt_poll_ns')
  const hugePages = numberIn('/proc/sys/vm/nr_hugepages')
  return [
    writesBackAtBytes === 0 ? '' : `, vm.dirty_background_bytes ${writesBackAtBytes / 2 ** 20} MiB`,
    idlePollNs === 0 ? '' : `, guest_halt_poll_ns ${idlePollNs / 1_000} µs`,
    hugePages === 0 ? '' : `, vm.nr_hugepages ${hugePages}`,
  ].join('')
}

/** Memory latency, because virtual machines share their caches with others. */
function memory(): string {
  const ns = [4, 16, 64].map(mebibytes => Math.round(memoryLatencyNs(mebibytes * 2 ** 20)))
  return `a look at 4, 16 and 64 MiB of memory takes ${ns.join(', ')} ns`
}

function numberIn(file: string): number {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

/** The day and the commit of a run. Files that runs write do not count as local changes. */
export function occasion(): string {
  const day = new Date().toISOString().slice(0, 10)
  try {
    return `${day}, ${commit()}`
  } catch {
    return `${day}, without git`
  }
}

function commit(): string {
  const git = (...words: string[]): string =>
    execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const results = ':(exclude)packages/server/test/faults/results'
  const changed = git('status', '--porcelain', '--', 'packages', results).length > 0
  return `commit ${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`
}
