import type { Command } from '../command.ts'
import { firstWords, optionsOf, quoted } from './command-words.ts'

/** A completion script for bash. */
export function bashCompletion(commands: readonly Command[]): string {
  const firsts = firstWords(commands)
  const seconds = firsts.filter(first => first.seconds.length > 0)
  return `# Completes posthorn in bash: source <(posthorn completion bash)
_posthorn() {
  local cur=\${COMP_WORDS[COMP_CWORD]} words=
  if [[ $cur == -* ]]; then
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${commands.map(command => `      ${pattern(command)}) words=${quoted(optionWords(command))} ;;`).join('\n')}
    esac
  elif ((COMP_CWORD == 1)); then
    words=${quoted(firsts.map(({ word }) => word).join(' '))}
  elif ((COMP_CWORD == 2)); then
    case \${COMP_WORDS[1]} in
${seconds.map(first => `      ${first.word}) words=${quoted(first.seconds.map(({ word }) => word).join(' '))} ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _posthorn posthorn
`
}

function pattern({ name }: Command): string {
  return name.includes(' ') ? quoted(name) : `${quoted(`${name} `)}*`
}

function optionWords(command: Command): string {
  return optionsOf(command)
    .map(([name]) => `--${name}`)
    .join(' ')
}
