import { type Scope, scopes } from '@posthorn/contract'
import type { Command } from './command.ts'
import { UsageError } from './command-error.ts'
import { customerConnection, keyNote, keyOptions, operatorConnection } from './connection.ts'
import { serviceClient } from './service-client.ts'

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Create an API key for an account',
  about: [
    'The scopes decide what the key may do. None includes another.',
    '  read    read every list and record',
    '  send    make every change that a customer may make',
    '  ingest  report outcomes',
    '  keys    create and revoke API keys of the account, together with send',
    'Posthorn shows the key once. With your API key, you need the scopes send and keys, and you can grant only your own',
    'scopes, for at most as long as your key lasts.',
    keyNote,
  ].join('\n'),
  options: {
    name: { value: 'name', meaning: 'What the key is for.' },
    scopes: { value: 'list', meaning: 'read, send, ingest or keys; separate several with commas.' },
    'expires-at': {
      value: 'time',
      meaning: 'When the key expires, in RFC 3339 (default: never, or with your own key).',
    },
    ...keyOptions,
  },
  examples: [
    'posthorn keys create --account acct_… --name dashboard --scopes read,send,keys',
    'posthorn keys create --account acct_… --name mailer --scopes ingest --expires-at 2030-01-01T00:00:00Z',
    'posthorn keys create --name ada --scopes read',
    'export POSTHORN_API_KEY=$(posthorn keys create --account acct_… --name ci --scopes read --json | jq -r .api_key)',
  ],
  async run(input) {
    const account = input.text('account')
    const expiresAt = input.text('expires-at')
    const body = {
      name: input.required('name'),
      scopes: parseScopes(input.required('scopes')),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
    }
    const key =
      account === undefined
        ? await serviceClient(customerConnection(input)).createOwnApiKey({ body })
        : await serviceClient(operatorConnection(input)).createApiKey({ params: { id: account }, body })
    return {
      exitCode: 0,
      json: key,
      text: [
        `Created the API key ${key.name} (${key.scopes.join(', ')}): ${key.id}`,
        '',
        `  ${key.api_key}`,
        '',
        'This is the only time it is shown. Store it where your program can read it, for example:',
        '  export POSTHORN_API_KEY=<the key above>',
      ].join('\n'),
    }
  },
}

function parseScopes(text: string): Scope[] {
  return text.split(',').map(part => {
    const scope = scopes.find(one => one === part.trim())
    if (scope === undefined) {
      throw new UsageError(`--scopes must be one of ${scopes.join(', ')}, not "${part.trim()}"`)
    }
    return scope
  })
}
