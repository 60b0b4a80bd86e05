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
import { CommandError } from '../command-error.ts'
import type { LogPosition } from './log-file.ts'
import type { LogFormat } from './log-outcome.ts'

/** What `posthorn ingest` needs to continue where it stopped. */
export interface IngestState {
  /** The path of the log; `-` for standard input. */
  readonly log: string
  /** Older files are all of Postfix and do not name it. */
  readonly source?: LogFormat['source']
  /** Null for standard input. */
  readonly position: LogPosition | null
  readonly memory: readonly unknown[]
  /** False until a line was understood. Older files do not have it. */
  readonly isUnderstood?: boolean
}

/**
 * @returns null before the first run
 * @throws CommandError if the file is not a state file of this log and source
 */
export function readIngestState(path: string, log: string, source: LogFormat['source']): IngestState | null {
  if (!existsSync(path)) return null
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as Partial<IngestState>
    const { log: known, position, memory, isUnderstood = true } = state
    if (known !== log) throw new Error(`it belongs to ${known}`)
    if ((state.source ?? 'postfix') !== source)
      throw new Error(`it belongs to posthorn ingest ${state.source}`)
    const hasPosition = position === null ? log === '-' : typeof position?.offset === 'number'
    if (position === undefined || !hasPosition || !Array.isArray(memory))
      throw new Error('a field is missing')
    return { log, source, position, memory, isUnderstood }
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
