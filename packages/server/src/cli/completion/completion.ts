import type { Command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { bashCompletion } from './bash-completion.ts'
import { fishCompletion } from './fish-completion.ts'
import { zshCompletion } from './zsh-completion.ts'

const shells: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** The command that prints a completion script for a shell. */
export function completion(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    about: [
      'With the script loaded, the tab key completes commands and options. Posthorn must be on the PATH. To load it in',
      'every session, add the line from the examples to ~/.bashrc or to ~/.zshrc (after compinit). For fish, save the',
      'output as ~/.config/fish/completions/posthorn.fish.',
    ].join('\n'),
    operands: [{ name: 'shell', meaning: 'bash, zsh or fish.' }],
    examples: [
      'source <(posthorn completion bash)',
      'source <(posthorn completion zsh)',
      'posthorn completion fish > ~/.config/fish/completions/posthorn.fish',
    ],
    async run(input) {
      const shell = input.operand('shell')
      const write = shells[shell]
      if (write === undefined) {
        throw new UsageError(`<shell> must be one of ${Object.keys(shells).join(', ')}, not "${shell}"`)
      }
      const script = write(commands()).trimEnd()
      return await Promise.resolve({ exitCode: 0, json: { shell, script }, text: script })
    },
  }
}
