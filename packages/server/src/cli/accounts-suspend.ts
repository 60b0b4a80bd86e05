import { accountOperand } from './account-operand.ts'
import { calledAs } from './called-as.ts'
import type { Command } from './command.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { serviceClient } from './service-client.ts'

export const accountsSuspend: Command = {
  name: 'accounts suspend',
  summary: 'Accept no more emails of an account',
  about: [
    'New emails of the account get 403 sending_suspended. Emails that Posthorn has accepted are still handed over, and',
    `webhooks still arrive. ${operatorNote}`,
  ].join('\n'),
  operands: [accountOperand],
  options: operatorOptions,
  examples: ['posthorn accounts suspend acct_…'],
  async run(input) {
    const params = { id: input.operand('account') }
    const client = serviceClient(operatorConnection(input))
    const account = await client.updateAccount({ params, body: { suspended: true } })
    return {
      exitCode: 0,
      json: account,
      text: [
        `Suspended ${account.id} (${account.name}): Posthorn accepts no more emails of it.`,
        '',
        'To lift the suspension:',
        `  ${calledAs()} accounts lift-suspension ${account.id}`,
      ].join('\n'),
    }
  },
}
