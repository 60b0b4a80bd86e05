import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { findPostgres } from '../../packages/server/test/support/postgres-server.ts'

/** What the figures were measured on, in one line. */
export function machine(): string {
  const postgres = findPostgres()[0]?.version ?? 'none'
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory}, Node ${process.version}, PostgreSQL ${postgres}`
}

/** The day and the commit of a run. What runs write down is no change of what they ran. */
export function occasion(): string {
  const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()
  const results = ':(exclude)packages/server/test/faults/results'
  const changed = git('status', '--porcelain', '--', 'packages', results).length > 0
  return `${new Date().toISOString().slice(0, 10)}, commit ${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`
}
