import type { CommandInput } from './command-input.ts'

/** One command of `posthorn`: its name, its help and its code. */
export interface Command {
  /** As typed: `start`, `keys create`. */
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** What a newcomer must know before the first use. */
  readonly about: string
  /** The positional arguments in order; all are required. */
  readonly operands?: readonly { readonly name: string; readonly meaning: string }[]
  /** Any number of optional arguments after the operands. */
  readonly rest?: { readonly name: string; readonly meaning: string }
  readonly options?: Readonly<Record<string, Option>>
  readonly examples: readonly string[]
  readonly run: (input: CommandInput) => Promise<Report>
}

export interface Option {
  /** The placeholder for the value in the help; a flag has none. */
  readonly value?: string
  readonly meaning: string
  readonly multiple?: true
}

/** The output of a command: `json` with `--json`, otherwise `text`. */
export interface Report {
  readonly exitCode: 0 | 1
  readonly json?: unknown
  readonly text?: string
}
