import { accountOperand } from './account-operand.ts'
import type { Command } from './command.ts'
import { UsageError } from './command-error.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { describeAccount } from './describe-account.ts'
import { messageLimitOptions, messageLimitsIn } from './message-limits.ts'
import { serviceClient } from './service-client.ts'
import { wholeNumber } from './whole-number.ts'

export const accountsUpdate: Command = {
  name: 'accounts update',
  summary: 'Change the name or the limits of an account',
  about: `Changes only what you give. ${operatorNote}`,
  operands: [accountOperand],
  options: {
    name: { value: 'name', meaning: 'The name of the customer.' },
    'max-endpoints': { value: 'count', meaning: 'How many endpoints the account may have.' },
    ...messageLimitOptions,
    ...operatorOptions,
  },
  examples: [
    'posthorn accounts update acct_… --messages-per-hour 1000 --messages-per-day 10000',
    'posthorn accounts update acct_… --messages-per-day none --json',
  ],
  async run(input) {
    const name = input.text('name')
    const endpointsMax = wholeNumber(input, 'max-endpoints')
    const body = {
      ...(name !== undefined && { name }),
      ...(endpointsMax !== undefined && { max_endpoints: endpointsMax }),
      ...messageLimitsIn(input),
    }
    if (Object.keys(body).length === 0) throw new UsageError('nothing to change: add at least one option')
    const params = { id: input.operand('account') }
    const account = await serviceClient(operatorConnection(input)).updateAccount({ params, body })
    return { exitCode: 0, json: account, text: describeAccount(account) }
  },
}
