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
  summary: "Report what Postfix's log says of deliveries",
  about: [
    'Reads the log from where it stopped the last time, and with --follow goes on as the log grows, until Ctrl-C. It',
    'finds its place again when the log was rotated meanwhile, by renaming or by copytruncate, and a line that is told',
    'twice makes one event. A mail counts when its return path is one of Posthorn; to report others, give them a name',
    'with --email-id. Set-up: docs/connect/postfix.md. Needs an API key with the scope ingest (--api-key or',
    "POSTHORN_API_KEY), or else the operator's token (POSTHORN_ADMIN_TOKEN, or admin-token in the data directory).",
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'The log, such as /var/log/mail.log.' }],
  options: {
    follow: { meaning: 'Go on until stopped.' },
    'from-end': { meaning: 'The first time: report nothing of what the log holds already.' },
    smarthost: {
      value: 'name',
      meaning: 'A relay whose 250 is no delivery yet, as relay= names it. Repeatable.',
      multiple: true,
    },
    'email-id': {
      value: 'source',
      meaning: 'Name mails that Posthorn did not send: message-id, or header:X-Email-ID (see the docs).',
    },
    account: { value: 'id', meaning: 'Whose mails those are, acct_…; an API key has its own account.' },
    state: {
      value: 'file',
      meaning: 'Where it keeps its place (default in ~/.posthorn, by the log’s path).',
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
    if (!existsSync(path)) throw new CommandError('file_missing', `there is no file ${path}`)
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
    throw new UsageError('--account needs --email-id, which says how its mails are named')
  }
  if (source === 'message-id') return { foreign: { accountId, by: 'message_id' }, header: null }
  const header = /^header:([!-9;-~]{1,128})$/.exec(source)?.[1]
  if (header === undefined) {
    throw new UsageError(`--email-id takes message-id or header:<name>, not "${source}"`)
  }
  return { foreign: { accountId, by: 'header' }, header: header.toLowerCase() }
}
