import { asCalled, calledAs } from './called-as.ts'
import type { Command, Option } from './command.ts'
import { commonOptions } from './command-input.ts'
import { table } from './table.ts'

/** The help of one command. */
export function commandHelp(command: Command): string {
  const operands = (command.operands ?? []).map(({ name, meaning }) => [`<${name}>`, asCalled(meaning)])
  if (command.rest !== undefined) operands.push([`[${command.rest.name}…]`, command.rest.meaning])
  const usage = [calledAs(), command.name, ...operands.map(([name]) => name), '[options]'].join(' ')
  return [
    `${command.summary}\n\n${indented([usage])}\n`,
    `${asCalled(command.about)}\n`,
    ...(operands.length === 0 ? [] : [`Arguments\n${indented(columns(operands))}\n`]),
    `Options\n${indented(columns(optionRows({ ...command.options, ...commonOptions })))}\n`,
    `Examples\n${indented(command.examples.map(asCalled))}\n`,
  ].join('\n')
}

/** The list of all commands, or of one group. */
export function overview(commands: readonly Command[]): string {
  return [
    'Posthorn sends signed webhooks for email outcomes.\n',
    `${indented([`${calledAs()} <command> [options]`])}\n`,
    `Commands\n${indented(columns(commands.map(({ name, summary }) => [name, summary])))}\n`,
    `First steps\n${indented(
      ['posthorn start                          # then, in another terminal:', 'posthorn quickstart'].map(
        asCalled,
      ),
    )}\n`,
    `To learn about a command, run ${calledAs()} <command> --help. Every command takes --json.`,
    'Exit codes: 0 done, 1 failed, 2 wrong arguments. docs/configuration.md lists the settings.\n',
  ].join('\n')
}

function optionRows(options: Readonly<Record<string, Option>>): string[][] {
  return Object.entries(options).map(([name, { value, meaning, multiple }]) => [
    `${name === 'help' ? '-h, ' : ''}--${name}${value === undefined ? '' : ` <${value}>`}`,
    multiple === true ? `${meaning} Repeatable.` : meaning,
  ])
}

function columns(rows: string[][]): string[] {
  return table(rows).split('\n')
}

function indented(lines: readonly string[]): string {
  return lines.map(line => `  ${line}`).join('\n')
}
