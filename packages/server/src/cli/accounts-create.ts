import { calledAs } from './called-as.ts'
import type { Command } from './command.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { messageLimitOptions, messageLimitsIn } from './message-limits.ts'
import { serviceClient } from './service-client.ts'
import { wholeNumber } from './whole-number.ts'

export const accountsCreate: Command = {
  name: 'accounts create',
  summary: 'Create an account for a customer',
  about: `An account owns endpoints, API keys and events. ${operatorNote}`,
  options: {
    name: { value: 'name', meaning: 'The name of the customer.' },
    'max-endpoints': { value: 'count', meaning: 'How many endpoints the account may have (default 10).' },
    ...messageLimitOptions,
    ...operatorOptions,
  },
  examples: [
    'posthorn accounts create --name Acme',
    'posthorn accounts create --name Acme --max-endpoints 3 --json',
  ],
  async run(input) {
    const name = input.required('name')
    const endpointsMax = wholeNumber(input, 'max-endpoints')
    const body = {
      name,
      ...(endpointsMax !== undefined && { max_endpoints: endpointsMax }),
      ...messageLimitsIn(input),
    }
    const account = await serviceClient(operatorConnection(input)).createAccount({ body })
    return {
      exitCode: 0,
      json: account,
      text: [
        `Created the account ${account.name}: ${account.id}`,
        '',
        'Next, create an API key for it:',
        `  ${calledAs()} keys create --account ${account.id} --name first --scopes read,send,ingest,keys`,
      ].join('\n'),
    }
  },
}
