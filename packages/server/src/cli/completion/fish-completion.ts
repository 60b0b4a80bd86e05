import type { Command, Option } from '../command.ts'
import { firstWords, optionsOf } from './command-words.ts'

/** A completion script for fish. */
export function fishCompletion(commands: readonly Command[]): string {
  const lines = firstWords(commands).flatMap(({ word, command, seconds, summary }) => {
    const secondWords = seconds.map(second => second.word).join(' ')
    const isFirst = `__fish_seen_subcommand_from ${word}`
    return [
      line('__fish_use_subcommand', ['-f', '-a', word, '-d', quoted(summary)]),
      ...(command === null ? [] : optionLines(isFirst, command)),
      ...seconds.flatMap(second => [
        line(`${isFirst}; and not __fish_seen_subcommand_from ${secondWords}`, [
          '-f',
          '-a',
          second.word,
          '-d',
          quoted(second.command.summary),
        ]),
        ...optionLines(`${isFirst}; and __fish_seen_subcommand_from ${second.word}`, second.command),
      ]),
    ]
  })
  return `# Completes posthorn in fish: posthorn completion fish > ~/.config/fish/completions/posthorn.fish\n${lines.join('\n')}\n`
}

function optionLines(condition: string, command: Command): string[] {
  return optionsOf(command).map(([name, option]) =>
    line(condition, ['-l', name, ...valueOf(option), '-d', quoted(option.meaning)]),
  )
}

/** Completes only values that are files. */
function valueOf({ value }: Option): string[] {
  if (value === undefined) return []
  return value === 'file' ? ['-r'] : ['-x']
}

function line(condition: string, rest: readonly string[]): string {
  return ['complete -c posthorn', '-n', quoted(condition), ...rest].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll(/\s+/g, ' ').replaceAll(/['\\]/g, '\\$&')}'`
}
