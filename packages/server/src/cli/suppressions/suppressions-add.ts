import type { Command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { CommandInput } from '../command-input.ts'
import { customerConnection, customerOptions } from '../connection.ts'
import { serviceClient } from '../service-client.ts'

export const suppressionsAdd: Command = {
  name: 'suppressions add',
  summary: 'Stop mail to an address',
  about: [
    'Stops all mail of the account to the address, or only mail to lists. If the address is already suppressed in this',
    'way, nothing changes. Needs an API key with the scope send.',
  ].join('\n'),
  operands: [{ name: 'address', meaning: 'The email address.' }],
  options: {
    list: { value: 'name', meaning: 'Stop only mail with an unsubscribe link for this list.' },
    'all-lists': { meaning: 'Stop only mail with an unsubscribe link, for any list.' },
    ...customerOptions,
  },
  examples: [
    'posthorn suppressions add ann@example.org',
    'posthorn suppressions add ann@example.org --list news',
  ],
  async run(input) {
    const scope = scopeOf(input)
    const body = { address: input.operand('address'), ...(scope !== null && { scope }) }
    const made = await serviceClient(customerConnection(input)).createSuppression({ body })
    return {
      exitCode: 0,
      json: made,
      text: `Stopped mail to ${made.address} (${made.scope.type}): ${made.id}`,
    }
  },
}

function scopeOf(input: CommandInput): { type: 'all_lists' } | { type: 'list'; id: string } | null {
  const list = input.text('list')
  if (!input.flag('all-lists')) return list === undefined ? null : { type: 'list', id: list }
  if (list !== undefined) throw new UsageError('--list and --all-lists cannot be combined')
  return { type: 'all_lists' }
}
