import type { Command } from './command.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { serviceClient } from './service-client.ts'

export const endpointsDelete: Command = {
  name: 'endpoints delete',
  summary: 'Delete a webhook endpoint',
  about: [
    'What was not delivered is never sent, and the signing secret is erased. It cannot be undone; to stop for a while,',
    'use posthorn endpoints disable. Needs an API key with the scope send.',
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
