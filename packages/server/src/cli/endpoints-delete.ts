import type { Client } from '@posthorn/client'
import { askYesOrNo } from './ask.ts'
import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { printable } from './print.ts'
import { serviceClient } from './service-client.ts'

export const endpointsDelete: Command = {
  name: 'endpoints delete',
  summary: 'Delete a webhook endpoint',
  about: [
    'Posthorn never sends undelivered events, and erases the signing secret. You cannot undo this. To stop events for a',
    'while, use posthorn endpoints disable. The command asks before it deletes. Needs an API key with the scope send,',
    'and without --yes also read.',
  ].join('\n'),
  operands: [endpointOperand],
  options: { yes: { meaning: 'Delete without asking.' }, ...customerOptions },
  examples: ['posthorn endpoints delete wh_…', 'posthorn endpoints delete wh_… --yes --json'],
  async run(input) {
    const id = input.operand('endpoint')
    const client = serviceClient(customerConnection(input))
    if (!input.flag('yes')) await confirm(input, client, id)
    await client.deleteWebhook({ params: { id } })
    return { exitCode: 0, json: { id, deleted: true }, text: `Deleted ${id}.` }
  },
}

async function confirm(input: CommandInput, client: Client, id: string): Promise<void> {
  if (input.flag('json')) {
    throw new CommandError('not_confirmed', 'nothing was deleted: with --json, add --yes to confirm')
  }
  const { url } = await client.getWebhook({ params: { id } })
  if (await askYesOrNo(`Delete ${printable(url)}? Its pending deliveries are abandoned. [y/N] `)) return
  process.stderr.write('\n')
  throw new CommandError('not_confirmed', 'nothing was deleted')
}
