import { type Suppression, suppressionReasons, suppressionStates } from '@posthorn/contract'
import type { Command } from '../command.ts'
import { calledAs } from '../called-as.ts'
import { customerConnection, customerOptions } from '../connection.ts'
import { serviceClient } from '../service-client.ts'
import { table } from '../table.ts'
import { wholeNumber } from '../whole-number.ts'

const limitDefault = 100

export const suppressionsList: Command = {
  name: 'suppressions list',
  summary: 'List the suppressed addresses',
  about: [
    'Newest first. Without --state, shows only active suppressions. To write all active suppressions to a file, use',
    'posthorn suppressions export. Needs an API key with the scope read.',
  ].join('\n'),
  options: {
    address: { value: 'address', meaning: 'Only this address.' },
    reason: { value: 'list', meaning: `Only these reasons: ${suppressionReasons.join(', ')}.` },
    state: { value: 'list', meaning: `Only these states: ${suppressionStates.join(', ')} (default active).` },
    limit: { value: 'count', meaning: `How many to show at most (default ${limitDefault}).` },
    ...customerOptions,
  },
  examples: [
    'posthorn suppressions list',
    'posthorn suppressions list --address ann@example.org --state active,lapsed,lifted',
    'posthorn suppressions list --reason bounce --limit 1000 --json',
  ],
  async run(input) {
    const limit = wholeNumber(input, 'limit') ?? limitDefault
    const query = {
      address: input.text('address'),
      reason: input.text('reason'),
      state: input.text('state'),
      limit: 250,
    }
    const found: Suppression[] = []
    let hasMore = false
    for await (const one of serviceClient(customerConnection(input)).each('listSuppressions', { query })) {
      hasMore = found.length >= limit
      if (hasMore) break
      found.push(one)
    }
    return { exitCode: 0, json: found, text: textOf(found, hasMore) }
  },
}

function textOf(found: readonly Suppression[], hasMore: boolean): string {
  if (found.length === 0) return 'No suppressions.'
  const rows = found.map(({ id, state, address, reason, scope, created_at }) => [
    id,
    address ?? '(erased)',
    reason,
    scope.id === null ? scope.type : `${scope.type} ${scope.id}`,
    state,
    created_at,
  ])
  return [
    table([['ID', 'ADDRESS', 'REASON', 'SCOPE', 'STATE', 'SINCE'], ...rows]),
    ...(hasMore ? [`There are more. Raise --limit, or run ${calledAs()} suppressions export.`] : []),
  ].join('\n')
}
