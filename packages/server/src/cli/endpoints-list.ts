import { calledAs } from './called-as.ts'
import type { Command } from './command.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { serviceClient } from './service-client.ts'
import { table } from './table.ts'

export const endpointsList: Command = {
  name: 'endpoints list',
  summary: 'List the webhook endpoints of the account',
  about: 'Newest first, with the status of each. Needs an API key with the scope read.',
  options: customerOptions,
  examples: ['posthorn endpoints list', 'posthorn endpoints list --api-key phk_… --json'],
  async run(input) {
    const client = serviceClient(customerConnection(input))
    const endpoints = await Array.fromAsync(client.each('listWebhooks', { query: { limit: 250 } }))
    const rows = endpoints.map(endpoint => [
      endpoint.id,
      endpoint.disabled_reason === null ? endpoint.status : `disabled (${endpoint.disabled_reason})`,
      endpoint.events.map(type => type.replace('email.', '')).join(','),
      `${endpoint.secret_prefix}…`,
      endpoint.url,
    ])
    return {
      exitCode: 0,
      json: endpoints,
      text:
        rows.length === 0
          ? `No endpoints yet. Create one with ${calledAs()} endpoints create.`
          : table([['ID', 'STATUS', 'EVENTS', 'SECRET', 'URL'], ...rows]),
    }
  },
}
