import { parseArgs } from 'node:util'
import type { Command, Option } from './command.ts'
import { UsageError } from './command-error.ts'

/** The options that every command has. */
export const commonOptions = {
  json: { meaning: 'Print JSON.' },
  help: { meaning: 'Show this help.' },
} as const satisfies Record<string, Option>

/** The arguments of one command, read by name. */
export class CommandInput {
  readonly #values: Readonly<Record<string, unknown>>
  readonly #operands: Readonly<Record<string, string>>
  /** The arguments after the operands. */
  readonly rest: readonly string[]

  constructor(
    values: Readonly<Record<string, unknown>>,
    operands: Readonly<Record<string, string>>,
    rest: readonly string[] = [],
  ) {
    this.#values = values
    this.#operands = operands
    this.rest = rest
  }

  flag(name: string): boolean {
    return this.#values[name] === true
  }

  text(name: string): string | undefined {
    const value = this.#values[name]
    return typeof value === 'string' ? value : undefined
  }

  /** @throws UsageError when it is missing or empty */
  required(name: string): string {
    const value = this.text(name)
    if (value === undefined || value === '') throw new UsageError(`--${name} is missing`)
    return value
  }

  /** Every value of a repeatable option. */
  all(name: string): string[] {
    const value = this.#values[name]
    return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
  }

  operand(name: string): string {
    return this.#operands[name] ?? ''
  }
}

/**
 * Reads the arguments after the command's name.
 * @throws UsageError for an unknown option, or too many or too few operands
 */
export function readInput(command: Command, argv: readonly string[]): CommandInput {
  const { values, positionals } = parse(command, argv)
  const expected = command.operands ?? []
  if (values['help'] === true) return new CommandInput(values, {})
  const rest = positionals.slice(expected.length)
  const unexpected = command.rest === undefined ? rest[0] : undefined
  if (unexpected !== undefined) throw new UsageError(`unexpected argument "${unexpected}"`)
  const operands = expected.map(({ name }, index) => {
    const value = positionals[index]
    if (value === undefined) throw new UsageError(`<${name}> is missing`)
    return [name, value] as const
  })
  return new CommandInput(values, Object.fromEntries(operands), rest)
}

function parse(command: Command, argv: readonly string[]) {
  const options = Object.entries({ ...command.options, ...commonOptions } as Record<string, Option>)
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: Object.fromEntries(
        options.map(([name, { value, multiple }]) => [
          name,
          {
            type: value === undefined ? 'boolean' : 'string',
            multiple: multiple === true,
            ...(name === 'help' && { short: 'h' }),
          } as const,
        ]),
      ),
    })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(firstSentence(error.message), { cause: error })
  }
}

/** Drops Node's advice about `--`, which does not help here. */
function firstSentence(message: string): string {
  const sentence = message.split(/\.?\n|\.( |$)/)[0] ?? message
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
