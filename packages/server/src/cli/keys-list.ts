import type { ApiKey } from '@posthorn/contract'
import { calledAs } from './called-as.ts'
import type { Command } from './command.ts'
import { customerConnection, keyNote, keyOptions, operatorConnection } from './connection.ts'
import { serviceClient } from './service-client.ts'
import { table } from './table.ts'

export const keysList: Command = {
  name: 'keys list',
  summary: 'List the API keys of an account',
  about: `Shows only the first characters of each key, because Posthorn stores keys as hashes.\n${keyNote}`,
  options: keyOptions,
  examples: [
    'posthorn keys list --account acct_…',
    'posthorn keys list',
    'posthorn keys list --account acct_… --json',
  ],
  async run(input) {
    const account = input.text('account')
    const query = { limit: 250 }
    const keys = await Array.fromAsync(
      account === undefined
        ? serviceClient(customerConnection(input)).each('listOwnApiKeys', { query })
        : serviceClient(operatorConnection(input)).each('listApiKeys', { params: { id: account }, query }),
    )
    const rows = keys.map(key => [
      key.id,
      key.name,
      key.scopes.join(','),
      `${key.prefix}…`,
      state(key),
      key.last_used_at ?? 'never',
    ])
    return {
      exitCode: 0,
      json: keys,
      text:
        rows.length === 0
          ? `No API keys yet. Create one with ${calledAs()} keys create.`
          : table([['ID', 'NAME', 'SCOPES', 'KEY', 'STATE', 'LAST USED'], ...rows]),
    }
  },
}

function state(key: ApiKey): string {
  if (key.revoked_at !== null) return 'revoked'
  if (key.expires_at === null) return 'active'
  return `${Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'until'} ${key.expires_at}`
}
