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
import type { PostfixMemory } from './postfix-queue.ts'
import { CommandError } from '../command-error.ts'
import type { LogPosition } from './log-file.ts'

/** What `posthorn ingest postfix` needs to continue where it stopped. */
export interface IngestState {
  /** The path of the log. */
  readonly log: string
  readonly position: LogPosition
  readonly memory: PostfixMemory
}

/**
 * @returns null before the first run
 * @throws CommandError if the file is not a state file of this log
 */
export function readIngestState(path: string, log: string): IngestState | null {
  if (!existsSync(path)) return null
  try {
    const { log: known, position, memory } = JSON.parse(readFileSync(path, 'utf8')) as Partial<IngestState>
    if (known !== log) throw new Error(`it belongs to ${known}`)
    if (typeof position?.offset !== 'number' || !Array.isArray(memory)) throw new Error('a field is missing')
    return { log, position, memory }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      'state_unreadable',
      `${path} is not the state of posthorn ingest for ${log} (${reason}): delete it, or use another file with --state`,
      { cause: error },
    )
  }
}

/** Replaces the file in one step, so that a killed process or a power failure leaves the old one intact. */
export function writeIngestState(path: string, state: IngestState): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.new`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeSync(file, JSON.stringify(state))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}
