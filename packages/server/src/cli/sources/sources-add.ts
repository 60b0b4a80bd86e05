import { type ProviderKind, providerKinds } from '@posthorn/contract'
import type { Command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { operatorConnection, operatorNote, operatorOptions } from '../connection.ts'
import { serviceClient } from '../service-client.ts'

const kinds = Object.keys(providerKinds)

export const sourcesAdd: Command = {
  name: 'sources add',
  summary: 'Connect a mail provider that reports outcomes',
  about: [
    'Prints a URL. Enter it as a webhook at the provider, which then reports outcomes for the account. The URL contains a secret',
    'and is shown once. docs/connect has a page for each provider, which also says what the key is.',
    `Providers: ${kinds.join(', ')}.`,
    operatorNote,
  ].join('\n'),
  operands: [{ name: 'provider', meaning: 'The mail provider, such as mailgun.' }],
  options: {
    account: { value: 'id', meaning: 'The account that the reports are about.' },
    key: { value: 'key', meaning: 'What the provider signs its reports with.' },
    ...operatorOptions,
  },
  examples: ['posthorn sources add mailgun --account acct_… --key "$(cat webhook-signing-key)"'],
  async run(input) {
    const kind = parseKind(input.operand('provider'))
    const source = await serviceClient(operatorConnection(input)).createProviderSource({
      params: { id: input.required('account') },
      body: { kind, key: input.required('key') },
    })
    return {
      exitCode: 0,
      json: source,
      text: [
        `Created the source ${source.id}. ${kind === 'ses' ? 'Subscribe this URL to the SNS topic:' : `Enter this URL as a webhook at ${providerKinds[kind]}:`}`,
        '',
        `  ${source.report_url}`,
        '',
        'This is the only time it is shown.',
        ...(source.report_url?.startsWith('https:') === true ? [] : ['', reachNote]),
      ].join('\n'),
    }
  },
}

const reachNote =
  'The provider must reach this URL. Set POSTHORN_PUBLIC_URL to the https address of Posthorn, and replace the beginning of the URL by it.'

function parseKind(text: string): ProviderKind {
  if (Object.hasOwn(providerKinds, text)) return text as ProviderKind
  throw new UsageError(`<provider> must be one of ${kinds.join(', ')}, not "${text}"`)
}
