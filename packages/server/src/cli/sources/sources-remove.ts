import type { Command } from '../command.ts'
import { operatorConnection, operatorNote, operatorOptions } from '../connection.ts'
import { serviceClient } from '../service-client.ts'

export const sourcesRemove: Command = {
  name: 'sources remove',
  summary: 'Disconnect a mail provider',
  about: `Posthorn then refuses all requests to the URL of the source. You cannot undo this.\n${operatorNote}`,
  operands: [{ name: 'source', meaning: 'The source id (src_…), as shown by posthorn sources list.' }],
  options: { account: { value: 'id', meaning: 'The account.' }, ...operatorOptions },
  examples: ['posthorn sources remove src_… --account acct_…'],
  async run(input) {
    const id = input.operand('source')
    await serviceClient(operatorConnection(input)).deleteProviderSource({
      params: { id: input.required('account'), source_id: id },
    })
    return { exitCode: 0, json: { id, removed: true }, text: `Removed ${id}.` }
  },
}
