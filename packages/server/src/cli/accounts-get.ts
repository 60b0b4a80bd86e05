import { accountOperand } from './account-operand.ts'
import type { Command } from './command.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { describeAccount } from './describe-account.ts'
import { serviceClient } from './service-client.ts'

export const accountsGet: Command = {
  name: 'accounts get',
  summary: 'Show one account',
  about: `Shows its limits, what it has sent, and whether it is suspended. ${operatorNote}`,
  operands: [accountOperand],
  options: operatorOptions,
  examples: ['posthorn accounts get acct_…', 'posthorn accounts get acct_… --json | jq .messages_this_hour'],
  async run(input) {
    const params = { id: input.operand('account') }
    const account = await serviceClient(operatorConnection(input)).getAccount({ params })
    return { exitCode: 0, json: account, text: describeAccount(account) }
  },
}
