import type { Command } from './command.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { serviceClient } from './service-client.ts'

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key',
  about: `Posthorn rejects all further requests with the key. You cannot undo this. ${operatorNote}`,
  operands: [{ name: 'key', meaning: 'The key id (key_…), as shown by posthorn keys list.' }],
  options: { account: { value: 'id', meaning: 'The account that the key belongs to.' }, ...operatorOptions },
  examples: ['posthorn keys revoke key_… --account acct_…'],
  async run(input) {
    const account = input.required('account')
    const id = input.operand('key')
    await serviceClient(operatorConnection(input)).revokeApiKey({ params: { id: account, key_id: id } })
    return { exitCode: 0, json: { id, revoked: true }, text: `Revoked ${id}.` }
  },
}
