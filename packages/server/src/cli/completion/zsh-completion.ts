import type { Command } from '../command.ts'
import { firstWords, optionsOf, quoted } from './command-words.ts'

/** A completion script for zsh. */
export function zshCompletion(commands: readonly Command[]): string {
  const firsts = firstWords(commands)
  const seconds = firsts.filter(first => first.seconds.length > 0)
  return `#compdef posthorn
# Completes posthorn in zsh: source <(posthorn completion zsh)
_posthorn() {
  local -a found
  if [[ \${words[CURRENT]} == -* ]]; then
    case "\${words[2]} \${words[3]}" in
${commands.map(command => `      ${pattern(command)}) found=(${optionWords(command)}) ;;`).join('\n')}
    esac
    _describe -o option found
  elif ((CURRENT == 2)); then
    found=(${firsts.map(({ word, summary }) => described(word, summary)).join(' ')})
    _describe command found
  elif ((CURRENT == 3)); then
    case \${words[2]} in
${seconds
  .map(
    first =>
      `      ${first.word}) found=(${first.seconds.map(({ word, command }) => described(word, command.summary)).join(' ')}) ;;`,
  )
  .join('\n')}
    esac
    if ((\${#found})); then _describe command found; else _files; fi
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _posthorn ]]; then _posthorn "$@"; else compdef _posthorn posthorn; fi
`
}

function pattern({ name }: Command): string {
  return name.includes(' ') ? quoted(name) : `${quoted(`${name} `)}*`
}

function optionWords(command: Command): string {
  return optionsOf(command)
    .map(([name, { meaning }]) => described(`--${name}`, meaning))
    .join(' ')
}

/** A word with its meaning, as _describe takes it. */
function described(word: string, meaning: string): string {
  return quoted(`${word}:${meaning.replaceAll(/\s+/g, ' ')}`)
}
