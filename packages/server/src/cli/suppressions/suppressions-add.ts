import type { Command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { CommandInput } from '../command-input.ts'
import { customerConnection, customerOptions } from '../connection.ts'
import { serviceClient } from '../service-client.ts'

export const suppressionsAdd: Command = {
  name: 'suppressions add',
  summary: 'Stop mail to an address',
  about: [
    'Stops all mail of the account to the address, or only part of it. An address that is suppressed this way already',
    'stays as it is. Needs an API key with the scope send.',
  ].join('\n'),
  operands: [{ name: 'address', meaning: 'The address.' }],
  options: {
    list: { value: 'name', meaning: 'Stop only mail that was sent with unsubscribe for this list.' },
    'all-lists': { meaning: 'Stop only mail that was sent with unsubscribe, for any list.' },
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
      text: `Mail to ${made.address} is stopped (${made.scope.type}): ${made.id}`,
    }
  },
}

function scopeOf(input: CommandInput): { type: 'all_lists' } | { type: 'list'; id: string } | null {
  const list = input.text('list')
  if (!input.flag('all-lists')) return list === undefined ? null : { type: 'list', id: list }
  if (list !== undefined) throw new UsageError('--list and --all-lists exclude each other')
  return { type: 'all_lists' }
}
