import type { Command } from './command.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { serviceClient } from './service-client.ts'

export const endpointsDisable: Command = {
  name: 'endpoints disable',
  summary: 'Keep the events of an endpoint until it is enabled again',
  about: [
    'Once the command ends, nothing is sent to the endpoint. Its events wait, at most as long as the operator keeps',
    'them (POSTHORN_RETENTION_DAYS). Needs an API key with the scope send.',
  ].join('\n'),
  operands: [endpointOperand],
  options: customerOptions,
  examples: ['posthorn endpoints disable wh_…'],
  async run(input) {
    const params = { id: input.operand('endpoint') }
    const client = serviceClient(customerConnection(input))
    const endpoint = await client.updateWebhook({ params, body: { enabled: false } })
    return {
      exitCode: 0,
      json: endpoint,
      text: `Disabled ${endpoint.id} (${endpoint.url}); its events wait.`,
    }
  },
}
