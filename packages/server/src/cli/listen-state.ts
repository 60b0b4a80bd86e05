import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeSigningSecret } from '../domain/signing-secret.ts'
import { CommandError } from './command-error.ts'

/** What `posthorn listen` remembers from one session to the next. */
interface Remembered {
  /** Signs what is forwarded; the receiver keeps it between sessions. */
  secret: string
  /** The endpoint that was made for an account, by service and key. */
  endpoints: Record<string, string>
  /** The last sequence number that was forwarded, by endpoint. */
  sequences: Record<string, number>
}

/** A small file, readable by its owner alone, written anew after each delivery. */
export class ListenState {
  readonly #path: string
  readonly #remembered: Remembered

  /** @throws CommandError when the file cannot be read or is something else */
  constructor(path: string) {
    this.#path = path
    this.#remembered = readState(path)
  }

  get secret(): string {
    return this.#remembered.secret
  }

  endpointOf(account: string): string | undefined {
    return this.#remembered.endpoints[account]
  }

  sequenceOf(endpointId: string): number | undefined {
    return this.#remembered.sequences[endpointId]
  }

  rememberEndpoint(account: string, endpointId: string): void {
    this.#remembered.endpoints[account] = endpointId
    this.#write()
  }

  rememberSequence(endpointId: string, sequence: number): void {
    this.#remembered.sequences[endpointId] = sequence
    this.#write()
  }

  #write(): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
    const half = `${this.#path}.new`
    writeFileSync(half, `${JSON.stringify(this.#remembered, null, 2)}\n`, { mode: 0o600 })
    // whoever is killed in between leaves the old file whole
    renameSync(half, this.#path)
  }
}

function readState(path: string): Remembered {
  if (!existsSync(path)) return { secret: makeSigningSecret(randomBytes), endpoints: {}, sequences: {} }
  try {
    const { secret, endpoints, sequences } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Remembered>
    if (typeof secret !== 'string' || !endpoints || !sequences) throw new Error('it lacks a field')
    return { secret, endpoints, sequences }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      'state_unreadable',
      `${path} is no state of posthorn listen (${reason}); remove it or name another with --state`,
      { cause: error },
    )
  }
}
