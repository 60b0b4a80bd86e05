import type { Client } from '@posthorn/client'
import type { Command } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { customerConnection, customerOptions } from '../connection.ts'
import { serviceClient } from '../service-client.ts'

export const suppressionsLift: Command = {
  name: 'suppressions lift',
  summary: 'Allow mail to an address again',
  about: [
    'Lifts one suppression, or all suppressions of an address. They stay in the list with the state lifted. Another bounce',
    'or unsubscription creates a new one. Needs an API key with the scope send, and with an address also read.',
  ].join('\n'),
  operands: [{ name: 'which', meaning: 'A suppression id (sup_…) or an email address.' }],
  options: customerOptions,
  examples: ['posthorn suppressions lift sup_…', 'posthorn suppressions lift ann@example.org'],
  async run(input) {
    const which = input.operand('which')
    const client = serviceClient(customerConnection(input))
    const ids = which.includes('@') ? await idsOf(client, which) : [which]
    for (const id of ids) await client.liftSuppression({ params: { id } })
    return { exitCode: 0, json: { lifted: ids }, text: `Lifted ${ids.join(', ')}.` }
  },
}

async function idsOf(client: Client, address: string): Promise<string[]> {
  const found = await Array.fromAsync(client.each('listSuppressions', { query: { address } }))
  if (found.length > 0) return found.map(({ id }) => id)
  throw new CommandError('not_found', `${address} has no active suppression`)
}
