import type { Command } from './command.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { serviceClient } from './service-client.ts'

export const endpointsEnable: Command = {
  name: 'endpoints enable',
  summary: 'Send events to an endpoint again',
  about: [
    'Posthorn also sends the events that waited, at the rate that the operator set (POSTHORN_DRAIN_PER_SECOND). If the',
    'endpoint is already enabled, nothing changes. Needs an API key with the scope send.',
  ].join('\n'),
  operands: [endpointOperand],
  options: customerOptions,
  examples: ['posthorn endpoints enable wh_…'],
  async run(input) {
    const params = { id: input.operand('endpoint') }
    const client = serviceClient(customerConnection(input))
    const endpoint = await client.updateWebhook({ params, body: { enabled: true } })
    return { exitCode: 0, json: endpoint, text: `Enabled ${endpoint.id} (${endpoint.url}).` }
  },
}
