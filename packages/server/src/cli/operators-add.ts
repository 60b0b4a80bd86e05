import { operatorRoles } from '@posthorn/contract'
import type { Command } from './command.ts'
import { UsageError } from './command-error.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { serviceClient } from './service-client.ts'

export const operatorsAdd: Command = {
  name: 'operators add',
  summary: 'Create a token for a person who operates Posthorn',
  about: [
    'The audit log shows the name with everything that the token does. The roles:',
    '  view    read what operators read, except the backup',
    '  change  also change it, and create portal links',
    `Posthorn shows the token once. ${operatorNote}`,
  ].join('\n'),
  operands: [{ name: 'name', meaning: 'Who uses the token, such as an email address.' }],
  options: {
    role: { value: 'role', meaning: 'view or change.' },
    'expires-at': { value: 'time', meaning: 'When the token expires, in RFC 3339 (default: never).' },
    ...operatorOptions,
  },
  examples: [
    'posthorn operators add ann@example.com --role change',
    'posthorn operators add dashboard-screen --role view --expires-at 2030-01-01T00:00:00Z',
  ],
  async run(input) {
    const wanted = input.required('role')
    const role = operatorRoles.find(one => one === wanted)
    if (role === undefined) throw new UsageError(`--role must be view or change, not "${wanted}"`)
    const expiresAt = input.text('expires-at')
    const operator = await serviceClient(operatorConnection(input)).createOperator({
      body: {
        name: input.operand('name'),
        role,
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      },
    })
    return {
      exitCode: 0,
      json: operator,
      text: [
        `Created a token for ${operator.name} (${operator.role}): ${operator.id}`,
        '',
        `  ${operator.token}`,
        '',
        'This is the only time it is shown. Sign in to the dashboard with it, or set it as POSTHORN_ADMIN_TOKEN for commands.',
      ].join('\n'),
    }
  },
}
