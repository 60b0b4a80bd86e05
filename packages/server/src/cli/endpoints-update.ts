import type { Command } from './command.ts'
import { UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { describeEndpoint } from './describe-endpoint.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { filterFrom, filterOptions } from './endpoint-filter-options.ts'
import { parseEventTypes } from './event-types.ts'
import { keyValue } from './key-value.ts'
import { serviceClient } from './service-client.ts'
import { wholeNumber } from './whole-number.ts'

export const endpointsUpdate: Command = {
  name: 'endpoints update',
  summary: 'Change a webhook endpoint',
  about: [
    'Changes only the settings that you give. When the command ends, Posthorn sends no more events with the old ones.',
    'Needs an API key with the scope send.',
  ].join('\n'),
  operands: [endpointOperand],
  options: {
    target: { value: 'url', meaning: 'The URL that receives the events.' },
    events: { value: 'list', meaning: 'The event types to send, separated by commas.' },
    description: { value: 'text', meaning: 'A note for people.' },
    header: {
      value: 'text',
      meaning: 'A request header to add or replace, as "name: value".',
      multiple: true,
    },
    'remove-header': { value: 'name', meaning: 'A request header to remove.', multiple: true },
    ...filterOptions,
    'rate-limit': { value: 'number', meaning: 'Requests per second at most; "none" removes the limit.' },
    'retry-base': { value: 'seconds', meaning: 'The maximum delay before the first retry, or "default".' },
    'retry-cap': { value: 'seconds', meaning: 'The maximum of every retry delay, or "default".' },
    timeout: { value: 'seconds', meaning: 'The time limit of one attempt, or "default".' },
    'standard-webhooks': { value: 'on|off', meaning: 'Also send the headers of Standard Webhooks.' },
    ...customerOptions,
  },
  examples: [
    'posthorn endpoints update wh_… --target https://hooks.example.com/v2/mail',
    'posthorn endpoints update wh_… --events email.bounced,email.unsubscribed --rate-limit 20',
    'posthorn endpoints update wh_… --header "X-Tenant: acme" --remove-header X-Old',
  ],
  async run(input) {
    const body = changesOf(input)
    const params = { id: input.operand('endpoint') }
    const endpoint = await serviceClient(customerConnection(input)).updateWebhook({ params, body })
    return { exitCode: 0, json: endpoint, text: describeEndpoint(endpoint) }
  },
}

function changesOf(input: CommandInput) {
  const target = input.text('target')
  const events = input.text('events')
  const description = input.text('description')
  const headers = headerChanges(input)
  const limit = input.text('rate-limit')
  const standard = onOrOff(input, 'standard-webhooks')
  const changes = {
    ...(target !== undefined && { url: target }),
    ...(events !== undefined && { events: parseEventTypes('--events', events) }),
    ...(description !== undefined && { description }),
    ...(headers !== null && { headers }),
    ...filterFrom(input),
    ...(limit !== undefined && {
      rate_limit_per_second: limit === 'none' ? null : (wholeNumber(input, 'rate-limit') ?? null),
    }),
    ...seconds(input, 'retry-base', 'retry_base_seconds'),
    ...seconds(input, 'retry-cap', 'retry_cap_seconds'),
    ...seconds(input, 'timeout', 'attempt_timeout_seconds'),
    ...(standard !== undefined && { standard_webhooks: standard }),
  }
  if (Object.keys(changes).length === 0) throw new UsageError('nothing to change: add at least one option')
  return changes
}

function seconds<const Field extends string>(
  input: CommandInput,
  name: string,
  field: Field,
): { [_ in Field]?: number | null } {
  const text = input.text(name)
  if (text === undefined) return {}
  if (text !== 'default' && !/^\d+(\.\d+)?$/.test(text)) {
    throw new UsageError(`--${name} must be a number of seconds or "default", not "${text}"`)
  }
  return { [field]: text === 'default' ? null : Number(text) } as { [_ in Field]?: number | null }
}

function onOrOff(input: CommandInput, name: string): boolean | undefined {
  const text = input.text(name)
  if (text === undefined || text === 'on' || text === 'off') return text && text === 'on'
  throw new UsageError(`--${name} must be on or off`)
}

function headerChanges(input: CommandInput): Record<string, string | null> | null {
  const set = input.all('header').map(text => keyValue('--header', text, ':'))
  const removed = input.all('remove-header').map(name => [name, null] as const)
  const all = [...set, ...removed]
  return all.length === 0 ? null : Object.fromEntries(all)
}
