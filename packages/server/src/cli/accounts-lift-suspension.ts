import { accountOperand } from './account-operand.ts'
import type { Command } from './command.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { serviceClient } from './service-client.ts'

export const accountsLiftSuspension: Command = {
  name: 'accounts lift-suspension',
  summary: 'Accept emails of a suspended account again',
  about: `Bounces and complaints from before then no longer count against the account. ${operatorNote}`,
  operands: [accountOperand],
  options: operatorOptions,
  examples: ['posthorn accounts lift-suspension acct_…'],
  async run(input) {
    const params = { id: input.operand('account') }
    const client = serviceClient(operatorConnection(input))
    const account = await client.updateAccount({ params, body: { suspended: false } })
    return {
      exitCode: 0,
      json: account,
      text: `${account.id} (${account.name}) may send emails.`,
    }
  },
}
