import type { Command } from './command.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { filterFrom, filterOptions } from './endpoint-filter-options.ts'
import { parseEventTypes } from './event-types.ts'
import { serviceClient } from './service-client.ts'

export const endpointsCreate: Command = {
  name: 'endpoints create',
  summary: 'Register a URL that receives signed events',
  about: [
    'Shows the full signing secret, once. The receiver verifies events with it. Needs an API key with the scope send.',
    'To receive events on this machine, start the service with POSTHORN_EGRESS_ALLOW=127.0.0.0/8,::1/128 and',
    'POSTHORN_EGRESS_HTTP=true.',
  ].join('\n'),
  operands: [{ name: 'target', meaning: 'The https URL that receives the events.' }],
  options: {
    events: {
      value: 'list',
      meaning:
        'The event types to send, separated by commas (default email.delivered, email.bounced, email.failed and email.unsubscribed).',
    },
    description: { value: 'text', meaning: 'A note for people.' },
    ...filterOptions,
    disabled: { meaning: 'Create it disabled. Events wait until you enable it.' },
    ...customerOptions,
  },
  examples: [
    'posthorn endpoints create https://hooks.example.com/mail',
    'posthorn endpoints create https://hooks.example.com/mail --events email.bounced,email.failed --json',
  ],
  async run(input) {
    const events = input.text('events')
    const description = input.text('description')
    const body = {
      url: input.operand('target'),
      ...(events !== undefined && { events: parseEventTypes('--events', events) }),
      ...(description !== undefined && { description }),
      ...filterFrom(input),
      ...(input.flag('disabled') && { enabled: false }),
    }
    const endpoint = await serviceClient(customerConnection(input)).createWebhook({ body })
    return {
      exitCode: 0,
      json: endpoint,
      text: [
        `Created the endpoint ${endpoint.id} for ${endpoint.url} (${endpoint.events.join(', ')})`,
        '',
        `  ${endpoint.secret}`,
        '',
        'This is the only time the signing secret is shown. Add it to the receiver:',
        '  createVerifier({ secrets: [<the secret above>] })',
      ].join('\n'),
    }
  },
}
