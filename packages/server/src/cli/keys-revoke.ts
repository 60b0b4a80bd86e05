import type { Command } from './command.ts'
import { customerConnection, keyNote, keyOptions, operatorConnection } from './connection.ts'
import { serviceClient } from './service-client.ts'

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key',
  about: `Posthorn rejects all further requests with the key. You cannot undo this.\n${keyNote}`,
  operands: [{ name: 'key', meaning: 'The key id (key_…), as shown by posthorn keys list.' }],
  options: keyOptions,
  examples: ['posthorn keys revoke key_… --account acct_…', 'posthorn keys revoke key_…'],
  async run(input) {
    const account = input.text('account')
    const id = input.operand('key')
    if (account === undefined) {
      await serviceClient(customerConnection(input)).revokeOwnApiKey({ params: { id } })
    } else {
      await serviceClient(operatorConnection(input)).revokeApiKey({ params: { id: account, key_id: id } })
    }
    return { exitCode: 0, json: { id, revoked: true }, text: `Revoked ${id}.` }
  },
}
