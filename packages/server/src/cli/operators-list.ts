import { calledAs } from './called-as.ts'
import type { Command } from './command.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { serviceClient } from './service-client.ts'
import { table } from './table.ts'

export const operatorsList: Command = {
  name: 'operators list',
  summary: 'List the tokens of people who operate Posthorn',
  about: `Newest first, without the operator token itself. ${operatorNote}`,
  options: operatorOptions,
  examples: ['posthorn operators list', "posthorn operators list --json | jq -r '.[].name'"],
  async run(input) {
    const client = serviceClient(operatorConnection(input))
    const operators = await Array.fromAsync(client.each('listOperators', { query: { limit: 250 } }))
    const rows = operators.map(operator => [
      operator.id,
      operator.name,
      operator.role,
      operator.expires_at ?? 'never',
      operator.last_used_at ?? 'never',
    ])
    return {
      exitCode: 0,
      json: operators,
      text:
        rows.length === 0
          ? `No named tokens yet. Create one with ${calledAs()} operators add.`
          : table([['ID', 'NAME', 'ROLE', 'EXPIRES', 'LAST USED'], ...rows]),
    }
  },
}
