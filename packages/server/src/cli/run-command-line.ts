import { packageVersion } from '../version.ts'
import { calledAs } from './called-as.ts'
import type { Command, Report } from './command.ts'
import { CommandError, UsageError } from './command-error.ts'
import { readInput } from './command-input.ts'
import { commands } from './commands.ts'
import { commandHelp, overview } from './help.ts'
import { printError, printJson, printLines } from './print.ts'
import { describeServiceError } from './service-client.ts'

/** Runs one command and prints its output. Resolves with the exit code: 0 done, 1 failed, 2 wrong arguments. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const asJson = argv.includes('--json')
  process.stdout.on('error', stopWithoutReader)
  try {
    const report = await run(argv)
    const { json, text } = report
    if (asJson && json !== undefined) printJson(json, 2)
    else if (text !== undefined) printLines(text)
    return report.exitCode
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    printError(asJson ? errorJson(error) : `posthorn: ${error.message}`)
    return error.exitCode
  }
}

/** When a reader such as head ends, the command stops as after SIGTERM, so that listen still deletes its endpoint. */
function stopWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  if (isWithoutReader) return
  isWithoutReader = true
  process.kill(process.pid, 'SIGTERM')
}

let isWithoutReader = false

async function run(argv: readonly string[]): Promise<Report> {
  const [first, second] = argv
  if (first === '--version' || first === '-v') {
    return { exitCode: 0, json: { version: packageVersion() }, text: packageVersion() }
  }
  if (first === '--help' || first === '-h') return { exitCode: 0, text: overview(commands) }
  if (first === undefined) throw new UsageError(`a command is missing; see ${calledAs()} --help`)
  const named = (name: string): Command | undefined => commands.find(command => command.name === name)
  const command = named(`${first} ${second}`) ?? named(first)
  if (command !== undefined) return await runCommand(command, argv.slice(command.name.split(' ').length))

  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length === 0) {
    throw new UsageError(`unknown command "${first}"; see ${calledAs()} --help`)
  }
  if (second === '--help' || second === '-h') return { exitCode: 0, text: overview(group) }
  const choices = group.map(({ name }) => `${calledAs()} ${name}`).join(', ')
  const problem = second === undefined ? 'incomplete' : 'unknown'
  throw new UsageError(`${problem} command "${argv.slice(0, 2).join(' ')}"; use one of ${choices}`)
}

async function runCommand(command: Command, argv: readonly string[]): Promise<Report> {
  try {
    const input = readInput(command, argv)
    if (input.flag('help')) return { exitCode: 0, text: commandHelp(command) }
    return await command.run(input)
  } catch (error) {
    if (!(error instanceof UsageError)) throw describeServiceError(error, command)
    throw new UsageError(`${error.message}; see ${calledAs()} ${command.name} --help`, { cause: error })
  }
}

function errorJson({ code, message }: CommandError): string {
  return JSON.stringify({ error: { code, message } })
}
