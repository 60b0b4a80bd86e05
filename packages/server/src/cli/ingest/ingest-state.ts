import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { PostfixMemory } from '../../domain/sources/postfix-queue.ts'
import { CommandError } from '../command-error.ts'
import type { LogPosition } from './log-file.ts'

/** What `posthorn ingest postfix` has to know to go on where it stopped: one moment, never parts of two. */
export interface IngestState {
  /** The log that it is of. */
  readonly log: string
  readonly position: LogPosition
  readonly memory: PostfixMemory
}

/**
 * @returns null when nothing was read yet
 * @throws CommandError when the file is something else, or of another log
 */
export function readIngestState(path: string, log: string): IngestState | null {
  if (!existsSync(path)) return null
  try {
    const { log: known, position, memory } = JSON.parse(readFileSync(path, 'utf8')) as Partial<IngestState>
    if (known !== log) throw new Error(`it is of ${known}`)
    if (typeof position?.offset !== 'number' || !Array.isArray(memory)) throw new Error('it lacks a field')
    return { log, position, memory }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      'state_unreadable',
      `${path} is no state of posthorn ingest for ${log} (${reason}); remove it or name another with --state`,
      { cause: error },
    )
  }
}

/** Whoever is killed in between, or loses power, leaves the old file whole. */
export function writeIngestState(path: string, state: IngestState): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const half = `${path}.new`
  const file = openSync(half, 'w', 0o600)
  try {
    writeSync(file, JSON.stringify(state))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(half, path)
}
