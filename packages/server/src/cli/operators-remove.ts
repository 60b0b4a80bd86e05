import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { serviceClient } from './service-client.ts'

export const operatorsRemove: Command = {
  name: 'operators remove',
  summary: 'Remove the token of a person who operates Posthorn',
  about: `The token and its sessions stop working at once. ${operatorNote}`,
  operands: [{ name: 'name', meaning: 'The name, as shown by posthorn operators list.' }],
  options: operatorOptions,
  examples: ['posthorn operators remove ann@example.com'],
  async run(input) {
    const name = input.operand('name')
    const client = serviceClient(operatorConnection(input))
    const operators = await Array.fromAsync(client.each('listOperators', { query: { limit: 250 } }))
    const found = operators.find(operator => operator.name === name)
    if (found === undefined) throw new CommandError('not_found', `no token has the name ${name}`)
    await client.removeOperator({ params: { id: found.id } })
    return { exitCode: 0, json: { id: found.id, removed: true }, text: `Removed the token of ${name}.` }
  },
}
