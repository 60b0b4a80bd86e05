import { type PortalScope, portalScopes } from '@posthorn/contract'
import type { Command } from './command.ts'
import { UsageError } from './command-error.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { serviceClient } from './service-client.ts'
import { wholeNumber } from './whole-number.ts'

export const portalLinksCreate: Command = {
  name: 'portal-links create',
  summary: 'Create a link to the dashboard of an account',
  about: [
    'The first person who opens the link sees the dashboard of the account without signing in, until the link expires.',
    'The link works once. Posthorn shows it once.',
    operatorNote,
  ].join('\n'),
  options: {
    account: { value: 'id', meaning: 'The account whose dashboard the link opens.' },
    scopes: {
      value: 'list',
      meaning: 'read, send or keys; separate several with commas (default read,send).',
    },
    'keys-expire-by': {
      value: 'time',
      meaning:
        'With the scope keys: the latest expiry of keys that the session creates, in RFC 3339, or never (default: with the session).',
    },
    'expires-in': {
      value: 'seconds',
      meaning: 'How long the link and its session last, from 60 to 86400 (default 3600).',
    },
    'allowed-origin': {
      value: 'origin',
      meaning: 'A page that may show the portal in a frame, such as https://app.example.com.',
      multiple: true,
    },
    name: { value: 'name', meaning: 'The name that the page shows instead of Posthorn.' },
    'logo-url': { value: 'url', meaning: 'The https URL of a logo for the page.' },
    ...operatorOptions,
  },
  examples: [
    'posthorn portal-links create --account acct_…',
    'posthorn portal-links create --account acct_… --scopes read --expires-in 86400',
    'posthorn portal-links create --account acct_… --scopes read,send,keys --keys-expire-by 2030-01-01T00:00:00Z',
    'posthorn portal-links create --account acct_… --allowed-origin https://app.example.com --json',
  ],
  async run(input) {
    const [scopes, seconds] = [input.text('scopes'), wholeNumber(input, 'expires-in')]
    const keysExpireBy = input.text('keys-expire-by')
    const [name, logoUrl] = [input.text('name'), input.text('logo-url')]
    const body = {
      account_id: input.required('account'),
      allowed_origins: input.all('allowed-origin'),
      ...(scopes !== undefined && { scopes: parseScopes(scopes) }),
      ...(seconds !== undefined && { expires_in_seconds: seconds }),
      ...(keysExpireBy !== undefined && { keys_expire_by: keysExpireBy === 'never' ? null : keysExpireBy }),
      ...(name !== undefined && { name }),
      ...(logoUrl !== undefined && { logo_url: logoUrl }),
    }
    const link = await serviceClient(operatorConnection(input)).createPortalSession({ body })
    return {
      exitCode: 0,
      json: link,
      text: [
        `Created the portal link ${link.id}. It expires at ${link.expires_at}:`,
        '',
        `  ${link.url}`,
        '',
        'It works once, and this is the only time it is shown.',
      ].join('\n'),
    }
  },
}

function parseScopes(text: string): PortalScope[] {
  return text.split(',').map(part => {
    const scope = portalScopes.find(one => one === part.trim())
    if (scope === undefined)
      throw new UsageError(`--scopes must be one of ${portalScopes.join(', ')}, not "${part.trim()}"`)
    return scope
  })
}
