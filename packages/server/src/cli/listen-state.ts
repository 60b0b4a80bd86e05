import { randomBytes } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { makeSigningSecret } from '../domain/signing-secret.ts'
import { CommandError } from './command-error.ts'

/** What `posthorn listen` remembers from one session to the next. */
interface Remembered {
  /** Signs forwarded events in every session, so that the receiver's configuration stays the same. */
  readonly secret: string
  /** The last sequence number that was forwarded, by endpoint. */
  readonly sequences: Readonly<Record<string, number>>
}

/** An endpoint that a session has created and not removed yet. */
interface OwnEndpoint {
  /** The service and the key. */
  readonly account: string
  /** The process that uses it. */
  readonly pid: number
  /** The last sequence number that was forwarded; null before the first. */
  readonly sequence: number | null
}

/**
 * Small files that only their owner can read. Each endpoint that a session has created has its own file, so that two
 * sessions do not overwrite each other's.
 */
export class ListenState {
  readonly #path: string
  readonly #folder: string
  readonly #secret: string

  /** @throws CommandError if a file cannot be read or is not a state file */
  constructor(path: string) {
    this.#path = path
    this.#folder = `${path}.endpoints`
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.#secret = readState(path, isRemembered)?.secret ?? this.#make()
  }

  get secret(): string {
    return this.#secret
  }

  /** The endpoints of killed sessions. */
  leftBehind(account: string): string[] {
    return readdirSync(this.#folder)
      .filter(name => name.endsWith('.json'))
      .map(name => name.slice(0, -'.json'.length))
      .filter(id => {
        const own = readState(this.#fileOf(id), isOwnEndpoint)
        return own?.account === account && !isOthers(own.pid)
      })
  }

  sequenceOf(endpointId: string): number | undefined {
    const own = readState(this.#fileOf(endpointId), isOwnEndpoint)
    if (own !== null) return own.sequence ?? undefined
    return readState(this.#path, isRemembered)?.sequences[endpointId]
  }

  rememberEndpoint(account: string, id: string): void {
    const own = { account, pid: process.pid, sequence: this.sequenceOf(id) ?? null }
    replaceFile(this.#fileOf(id), own)
  }

  forgetEndpoint(id: string): void {
    rmSync(this.#fileOf(id), { force: true })
  }

  rememberSequence(endpointId: string, sequence: number): void {
    const own = readState(this.#fileOf(endpointId), isOwnEndpoint)
    if (own !== null) return replaceFile(this.#fileOf(endpointId), { ...own, sequence })
    const before = readState(this.#path, isRemembered)
    const sequences = { ...before?.sequences, [endpointId]: sequence }
    replaceFile(this.#path, { secret: this.#secret, sequences })
  }

  #fileOf(endpointId: string): string {
    return join(this.#folder, `${endpointId}.json`)
  }

  /** If two sessions start at the same time, both use the secret of the first. */
  #make(): string {
    const temporary = temporaryPath(this.#path)
    const made = { secret: makeSigningSecret(randomBytes), sequences: {} }
    writeFileSync(temporary, textOf(made), { mode: 0o600 })
    try {
      linkSync(temporary, this.#path)
    } catch (error) {
      if (!existsSync(this.#path)) throw error
    } finally {
      rmSync(temporary)
    }
    return readState(this.#path, isRemembered)?.secret ?? made.secret
  }
}

/** Whether another process has this id. In a container, a session may get the id of an earlier one. */
function isOthers(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function replaceFile(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = temporaryPath(path)
  writeFileSync(temporary, textOf(content), { mode: 0o600 })
  // if the process is killed in between, the old file stays intact
  renameSync(temporary, path)
}

function temporaryPath(path: string): string {
  return `${path}.${process.pid}.new`
}

function textOf(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`
}

/** Null if the file does not exist. */
function readState<State>(path: string, isState: (value: object) => value is State & object): State | null {
  if (!existsSync(path)) return null
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !isState(value)) throw new Error('a field is missing')
    return value
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      'state_unreadable',
      `${path} is not a state file of posthorn listen (${reason}): delete it, or use another file with --state`,
      { cause: error },
    )
  }
}

function isRemembered(value: object): value is Remembered {
  return (
    'secret' in value && typeof value.secret === 'string' && 'sequences' in value && value.sequences !== null
  )
}

function isOwnEndpoint(value: object): value is OwnEndpoint {
  return 'account' in value && 'pid' in value && typeof value.pid === 'number' && 'sequence' in value
}
