import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { canRun, hasProgram } from '../support/can-run.ts'
import { posthorn } from './posthorn-process.ts'

interface Shell {
  name: 'bash' | 'zsh' | 'fish'
  /** The shell's suggestions for a command line with the cursor at its end. */
  offers: (script: string, line: string) => string[]
}

const shells: Shell[] = [
  {
    name: 'bash',
    offers: (script, line) =>
      lines('bash', [
        '--norc',
        '-c',
        `${bashDriver}; complete_line "$@"`,
        'bash',
        script,
        ...line.split(' '),
      ]),
  },
  { name: 'zsh', offers: (script, line) => lines('zsh', ['-f', '-c', zshDriver, 'zsh', script, line]) },
  {
    name: 'fish',
    offers: (script, line) =>
      lines('fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script, line]).map(
        offer => offer.split('\t')[0] ?? '',
      ),
  },
]

/** Sets COMP_WORDS, which bash does only in an interactive shell. */
const bashDriver = `complete_line() {
  source "$1"; shift
  [[ $(complete -p posthorn) == 'complete -o default -F _posthorn posthorn' ]] || exit 1
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _posthorn; printf '%s\\n' "\${COMPREPLY[@]}"
}`

/** Runs zsh in a pseudo-terminal and presses a key that prints the suggestions for the tab key. */
const zshDriver = String.raw`
zmodload zsh/zpty
script=$1 line=$2
zpty session zsh -f -i
zpty -w session "PS1=; autoload -Uz compinit; compinit -D -u; source $script; typeset -U shown"
zpty -w session 'compadd() { local -a hits; builtin compadd -O hits "$@"; shown+=($hits); builtin compadd "$@" }'
zpty -w session 'show() { shown=(); _main_complete; print -rl -- BEGIN $shown END; }; zle -C show list-choices show'
zpty -w session 'bindkey "^T" show; print REA""DY'
all=
until [[ $all == *READY* ]]; do zpty -r session text && all+=$text; done
zpty -w -n session "$line"$'\x14'
all=
until [[ $all == *BEGIN*END* ]]; do zpty -r session text && all+=$text; done
zpty -d session
print -r -- "$all" | tr -d '\r' | awk '/BEGIN$/ {on=1; next} /^END/ {exit} on'
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-completion-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(shells.filter(({ name }) => canRun(`completion in ${name}`, hasProgram(name), name)))(
  '$name',
  ({ name, offers }) => {
    let script: string
    beforeAll(async () => {
      const printed = await posthorn(['completion', name])
      expect(printed).toMatchObject({ code: 0, stderr: '' })
      script = join(folder, name)
      writeFileSync(script, printed.stdout)
    })

    test('offers the first word of every command', () => {
      const words = [...new Set(commands.map(command => command.name.split(' ')[0] ?? ''))]
      expect(offers(script, 'posthorn ').toSorted()).toEqual(words.toSorted())
    })

    test('offers the words that can follow, limited to those that start as typed', () => {
      const words = ['create', 'delete', 'get', 'lift-suspension', 'list', 'move', 'suspend', 'update']
      expect(offers(script, 'posthorn accounts ').toSorted()).toEqual(words)
      expect(offers(script, 'posthorn endpoints d').toSorted()).toEqual(['delete', 'disable'])
    })

    test('offers only the options of the command', () => {
      const ofUpdate = offers(script, 'posthorn endpoints update wh_1 --r')
      expect(ofUpdate.toSorted()).toEqual(['--rate-limit', '--remove-header', '--retry-base', '--retry-cap'])
      expect(offers(script, 'posthorn start --').toSorted()).toEqual(['--help', '--json'])
    })
  },
)

test('an unsupported shell is rejected', async () => {
  const refused = await posthorn(['completion', 'csh'])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('bash, zsh, fish') })
})

function lines(program: string, args: readonly string[]): string[] {
  const text = execFileSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder },
  })
  return text.split('\n').filter(line => line !== '')
}
