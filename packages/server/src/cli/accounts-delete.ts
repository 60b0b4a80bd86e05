import { accountOperand } from './account-operand.ts'
import { ask } from './ask.ts'
import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { printable } from './print.ts'
import { serviceClient } from './service-client.ts'

export const accountsDelete: Command = {
  name: 'accounts delete',
  summary: 'Delete an account',
  about: [
    'Its API keys stop working at once, its endpoints receive no more events, and Posthorn erases its signing secrets.',
    'You cannot undo this. The command asks for the name of the account first.',
    operatorNote,
  ].join('\n'),
  operands: [accountOperand],
  options: { yes: { meaning: 'Delete without asking.' }, ...operatorOptions },
  examples: ['posthorn accounts delete acct_…', 'posthorn accounts delete acct_… --yes --json'],
  async run(input) {
    const id = input.operand('account')
    const client = serviceClient(operatorConnection(input))
    const { name } = await client.getAccount({ params: { id } })
    if (!input.flag('yes')) await confirm(input, name)
    await client.deleteAccount({ params: { id } })
    return { exitCode: 0, json: { id, name, deleted: true }, text: `Deleted the account ${name}: ${id}` }
  },
}

async function confirm(input: CommandInput, name: string): Promise<void> {
  if (input.flag('json')) {
    throw new CommandError('not_confirmed', 'nothing was deleted: with --json, add --yes to confirm')
  }
  const given = await ask(
    `This permanently deletes the account "${printable(name)}". Type its name to confirm: `,
  )
  if (given === name.trim()) return
  process.stderr.write('\n')
  throw new CommandError('not_confirmed', 'nothing was deleted: the name does not match')
}
