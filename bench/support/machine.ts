import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { findPostgres } from '../../packages/server/test/support/postgres-server.ts'

/** What the figures were measured on, in one line. */
export function machine(): string {
  const postgres = findPostgres()[0]?.version ?? 'none'
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory}, Node ${process.version}, PostgreSQL ${postgres}${writingBack()}`
}

/** Whether the kernel writes back what has changed all the time, as docs/scaling.md advises, or every half a minute. */
function writingBack(): string {
  const setting = '/proc/sys/vm/dirty_background_bytes'
  const bytes = existsSync(setting) ? Number(readFileSync(setting, 'utf8')) : 0
  return bytes === 0 ? '' : `, vm.dirty_background_bytes ${bytes / 2 ** 20} MiB`
}

/** The day and the commit of a run. What runs write down is no change of what they ran. */
export function occasion(): string {
  const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()
  const results = ':(exclude)packages/server/test/faults/results'
  const changed = git('status', '--porcelain', '--', 'packages', results).length > 0
  return `${new Date().toISOString().slice(0, 10)}, commit ${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`
}
