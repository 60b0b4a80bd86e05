import type { CommandInput } from './command-input.ts'

/** One command of `posthorn`: what it is called, what its help says, and what it does. */
export interface Command {
  /** As typed: `start`, `keys create`. */
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** What a newcomer has to know before the first use. */
  readonly about: string
  /** What is given without a name, in order; all of it is required. */
  readonly operands?: readonly { readonly name: string; readonly meaning: string }[]
  /** What may be given without a name, as often as one likes, behind the operands. */
  readonly rest?: { readonly name: string; readonly meaning: string }
  readonly options?: Readonly<Record<string, Option>>
  readonly examples: readonly string[]
  readonly run: (input: CommandInput) => Promise<Report>
}

export interface Option {
  /** Stands for the value in the help; without it the option is a switch. */
  readonly value?: string
  readonly meaning: string
  /** May be given several times. */
  readonly multiple?: true
}

/** What a command has to say: `json` with `--json`, else `text`. */
export interface Report {
  readonly exitCode: 0 | 1
  readonly json?: unknown
  readonly text?: string
}
