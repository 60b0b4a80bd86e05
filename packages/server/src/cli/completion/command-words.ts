import type { Command, Option } from '../command.ts'
import { commonOptions } from '../command-input.ts'

/** A word that a command line may begin with. */
export interface FirstWord {
  readonly word: string
  /** The command that consists of this word alone. */
  readonly command: Command | null
  readonly seconds: ReadonlyArray<{ readonly word: string; readonly command: Command }>
  readonly summary: string
}

/** Groups the commands by their first word, because a shell completes one word at a time. */
export function firstWords(commands: readonly Command[]): FirstWord[] {
  const byFirst = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? '')
  return [...byFirst].map(([word, group]) => {
    const command = group.find(({ name }) => name === word) ?? null
    const seconds = group.flatMap(one => {
      const second = one.name.split(' ')[1]
      return second === undefined ? [] : [{ word: second, command: one }]
    })
    const summary = command?.summary ?? seconds.map(second => second.word).join(', ')
    return { word, command, seconds, summary }
  })
}

/** The options of a command, with those that every command has. */
export function optionsOf({ options }: Command): Array<readonly [name: string, option: Option]> {
  return Object.entries({ ...options, ...commonOptions } as Record<string, Option>)
}

/** A word in single quotes, for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
