import type { Command } from './command.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { describeEndpoint } from './describe-endpoint.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { serviceClient } from './service-client.ts'

export const endpointsGet: Command = {
  name: 'endpoints get',
  summary: 'Show one webhook endpoint',
  about:
    'Shows the settings and the status, but never header values or the secret. Needs an API key with the scope read.',
  operands: [endpointOperand],
  options: customerOptions,
  examples: ['posthorn endpoints get wh_…', 'posthorn endpoints get wh_… --json | jq -r .status'],
  async run(input) {
    const params = { id: input.operand('endpoint') }
    const endpoint = await serviceClient(customerConnection(input)).getWebhook({ params })
    return { exitCode: 0, json: endpoint, text: describeEndpoint(endpoint) }
  },
}
