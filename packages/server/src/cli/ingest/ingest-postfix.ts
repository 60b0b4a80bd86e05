import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import type { CommandInput } from '../command-input.ts'
import { customerOptions, reporterConnection } from '../connection.ts'
import { serviceClient } from '../service-client.ts'
import { stopSignal } from '../stop-signal.ts'
import { IngestTally } from './ingest-tally.ts'
import type { ForeignNames } from './postfix-record.ts'
import { readPostfixLog } from './read-postfix-log.ts'

export const ingestPostfix: Command = {
  name: 'ingest postfix',
  summary: 'Report the outcomes in a Postfix log',
  about: [
    'Starts where the last run stopped. With --follow, it continues as the log grows, until Ctrl-C. It continues after',
    'log rotation, by renaming or by copytruncate. A line that it reports twice makes one event.',
    "It reports emails that have one of Posthorn's return paths. To report other emails too, set --email-id. See",
    'docs/connect/postfix.md for the setup. Needs an API key with the scope ingest (--api-key or POSTHORN_API_KEY), or',
    'the operator token (POSTHORN_ADMIN_TOKEN, or the file admin-token in the data directory).',
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'The log file, such as /var/log/mail.log.' }],
  options: {
    follow: { meaning: 'Continue until stopped.' },
    'from-end': { meaning: 'On the first run, skip the existing lines.' },
    smarthost: {
      value: 'name',
      meaning: 'A relay, as in relay=, whose 250 does not mean "delivered".',
      multiple: true,
    },
    'email-id': {
      value: 'source',
      meaning: 'The id of emails that Posthorn did not send: message-id, or header:X-Email-ID.',
    },
    account: {
      value: 'id',
      meaning: 'As the operator: the account (acct_…) of those emails.',
    },
    state: {
      value: 'file',
      meaning: 'Where to keep the position (default: one file per log in ~/.posthorn).',
    },
    ...customerOptions,
  },
  examples: [
    'posthorn ingest postfix /var/log/mail.log --follow',
    'posthorn ingest postfix /var/log/mail.log --json',
    'posthorn ingest postfix /var/log/mail.log --follow --smarthost smtp.example.net',
    'posthorn ingest postfix /var/log/mail.log --follow --account acct_… --email-id header:X-Email-ID',
  ],
  async run(input) {
    const path = resolve(input.operand('file'))
    if (!existsSync(path)) throw new CommandError('file_missing', `${path} does not exist`)
    const names = foreignNames(input)
    const tally = new IngestTally()
    await readPostfixLog(serviceClient(reporterConnection(input)), tally, {
      path,
      statePath: input.text('state') ?? defaultState(path),
      follow: input.flag('follow'),
      fromEnd: input.flag('from-end'),
      smarthosts: new Set(input.all('smarthost')),
      names: names?.foreign ?? null,
      header: names?.header ?? null,
      quiet: input.flag('json'),
      stop: stopSignal(),
    })
    return { exitCode: 0, json: tally.json(), text: tally.text() }
  },
}

function defaultState(path: string): string {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 12)
  return join(homedir(), '.posthorn', `ingest-postfix-${name}.json`)
}

function foreignNames(input: CommandInput): { foreign: ForeignNames; header: string | null } | null {
  const source = input.text('email-id')
  const accountId = input.text('account')
  if (source === undefined) {
    if (accountId === undefined) return null
    throw new UsageError('--account needs --email-id')
  }
  if (source === 'message-id') return { foreign: { accountId, by: 'message_id' }, header: null }
  const header = /^header:([!-9;-~]{1,128})$/.exec(source)?.[1]
  if (header === undefined) {
    throw new UsageError(`--email-id must be message-id or header:<name>, not "${source}"`)
  }
  return { foreign: { accountId, by: 'header' }, header: header.toLowerCase() }
}
