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
    'Whoever opens the link first sees the dashboard of that account without a sign-in, until the link expires.',
    'It works once, and is shown once.',
    operatorNote,
  ].join('\n'),
  options: {
    account: { value: 'id', meaning: 'The account that it leads to.' },
    scopes: { value: 'list', meaning: 'Of read, send, separated by commas (default both).' },
    'expires-in': { value: 'seconds', meaning: 'From 60 to 86400 (default 3600).' },
    'allowed-origin': {
      value: 'origin',
      meaning: 'A page that may show the portal in a frame, such as https://app.example.com.',
      multiple: true,
    },
    name: { value: 'name', meaning: 'What the page calls the account.' },
    'logo-url': { value: 'url', meaning: 'A logo for the page, by https.' },
    ...operatorOptions,
  },
  examples: [
    'posthorn portal-links create --account acct_…',
    'posthorn portal-links create --account acct_… --scopes read --expires-in 86400',
    'posthorn portal-links create --account acct_… --allowed-origin https://app.example.com --json',
  ],
  async run(input) {
    const [scopes, seconds] = [input.text('scopes'), wholeNumber(input, 'expires-in')]
    const [name, logoUrl] = [input.text('name'), input.text('logo-url')]
    const body = {
      account_id: input.required('account'),
      allowed_origins: input.all('allowed-origin'),
      ...(scopes !== undefined && { scopes: parseScopes(scopes) }),
      ...(seconds !== undefined && { expires_in_seconds: seconds }),
      ...(name !== undefined && { name }),
      ...(logoUrl !== undefined && { logo_url: logoUrl }),
    }
    const link = await serviceClient(operatorConnection(input)).createPortalSession({ body })
    return {
      exitCode: 0,
      json: link,
      text: [
        `Created the portal link ${link.id}, good until ${link.expires_at}:`,
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
      throw new UsageError(`--scopes takes ${portalScopes.join(', ')}, not "${part.trim()}"`)
    return scope
  })
}
