import type { Command } from './command.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { serviceClient } from './service-client.ts'

export const endpointsDisable: Command = {
  name: 'endpoints disable',
  summary: 'Stop sending events to an endpoint for a while',
  about: [
    'When the command ends, Posthorn sends nothing more to the endpoint. Its events wait until you enable it again, but',
    'not longer than the retention period (POSTHORN_RETENTION_DAYS). Needs an API key with the scope send.',
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
      text: `Disabled ${endpoint.id} (${endpoint.url}). Its events wait until you enable it again.`,
    }
  },
}
