import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Option, Report } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import type { CommandInput } from '../command-input.ts'
import { customerOptions, reporterConnection } from '../connection.ts'
import { serviceClient } from '../service-client.ts'
import { stopSignal } from '../stop-signal.ts'
import { IngestTally } from './ingest-tally.ts'
import type { LogFormat } from './log-outcome.ts'
import type { ForeignNames } from './log-record.ts'
import { readLog } from './read-log.ts'

/** The options of all commands that read a log. */
export const ingestOptions = {
  follow: { meaning: 'Continue until stopped.' },
  'from-end': { meaning: 'On the first run, skip the existing lines.' },
  account: {
    value: 'id',
    meaning: 'As the operator: the account (acct_…) of emails that Posthorn did not send.',
  },
  state: {
    value: 'file',
    meaning:
      'Where to keep the position (default: one file per log in ~/.posthorn). For -, the default is none.',
  },
  ...customerOptions,
} as const satisfies Record<string, Option>

/** The option for relays that do not deliver the mail themselves. */
export const smarthostOption = {
  smarthost: { value: 'name', meaning: 'A relay whose 250 does not mean "delivered".', multiple: true },
} as const satisfies Record<string, Option>

/** The option that names the id of emails that Posthorn did not send. */
export const emailIdOption = {
  'email-id': {
    value: 'source',
    meaning: 'The id of emails that Posthorn did not send: message-id, or header:X-Email-ID.',
  },
} as const satisfies Record<string, Option>

/** What commands that read a log say about running and credentials, for their help. */
export const ingestNote = [
  'Starts where the last run stopped. With --follow, it continues as the log grows, until Ctrl-C. It continues after',
  'log rotation, by renaming or by copytruncate. - reads standard input. A line that it reports twice makes one event.',
  'Needs an API key with the scope ingest (--api-key or POSTHORN_API_KEY), or the operator token (POSTHORN_ADMIN_TOKEN,',
  'or the file admin-token in the data directory).',
].join('\n')

/** Reads a log as the arguments say. */
export async function ingestLog(
  input: CommandInput,
  format: LogFormat,
  names: ForeignNames | null,
): Promise<Report> {
  const path = input.operand('file') === '-' ? '-' : resolve(input.operand('file'))
  if (path !== '-' && !existsSync(path)) throw new CommandError('file_missing', `${path} does not exist`)
  if (path === '-' && input.flag('from-end')) throw new UsageError('--from-end needs a file')
  const tally = new IngestTally()
  await readLog(serviceClient(reporterConnection(input)), tally, {
    path,
    statePath: input.text('state') ?? (path === '-' ? null : defaultState(path, format.source)),
    format,
    follow: input.flag('follow'),
    fromEnd: input.flag('from-end'),
    names,
    quiet: input.flag('json'),
    stop: stopSignal(),
  })
  return { exitCode: 0, json: tally.json(), text: tally.text() }
}

function defaultState(path: string, source: LogFormat['source']): string {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 12)
  return join(homedir(), '.posthorn', `ingest-${source}-${name}.json`)
}

/**
 * Reads --email-id and --account.
 *
 * @throws UsageError
 */
export function foreignNames(input: CommandInput): { foreign: ForeignNames | null; header: string | null } {
  const source = input.text('email-id')
  const accountId = input.text('account')
  if (source === undefined) {
    if (accountId === undefined) return { foreign: null, header: null }
    throw new UsageError('--account needs --email-id')
  }
  if (source === 'message-id') return { foreign: { accountId, by: 'message_id' }, header: null }
  const header = /^header:([!-9;-~]{1,128})$/.exec(source)?.[1]
  if (header === undefined) {
    throw new UsageError(`--email-id must be message-id or header:<name>, not "${source}"`)
  }
  return { foreign: { accountId, by: 'header' }, header: header.toLowerCase() }
}
