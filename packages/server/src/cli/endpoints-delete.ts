import type { Command } from './command.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { serviceClient } from './service-client.ts'

export const endpointsDelete: Command = {
  name: 'endpoints delete',
  summary: 'Delete a webhook endpoint',
  about: [
    'Undelivered events are never sent, and the signing secret is erased. You cannot undo this. To stop events for a',
    'while, use posthorn endpoints disable. Needs an API key with the scope send.',
  ].join('\n'),
  operands: [endpointOperand],
  options: customerOptions,
  examples: ['posthorn endpoints delete wh_…'],
  async run(input) {
    const id = input.operand('endpoint')
    await serviceClient(customerConnection(input)).deleteWebhook({ params: { id } })
    return { exitCode: 0, json: { id, deleted: true }, text: `Deleted ${id}.` }
  },
}
