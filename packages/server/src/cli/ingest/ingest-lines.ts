import type { Command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { ingestLog, ingestNote, ingestOptions } from './ingest-options.ts'
import { readLineMap } from './line-map.ts'
import { mappedFormat } from './mapped-log.ts'

export const ingestLines: Command = {
  name: 'ingest lines',
  summary: 'Report the outcomes in a log that a map describes',
  about: [
    'For PowerMTA, Haraka, Stalwart, OpenSMTPD, and any other server that writes CSV, JSON or name=value lines. The map says',
    'which lines are results and what their fields mean. See docs/connect/lines.md; examples/ingest has maps.',
    ingestNote,
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'The log file; - for standard input.' }],
  options: { map: { value: 'file', meaning: 'What the lines mean. Required.' }, ...ingestOptions },
  examples: [
    'posthorn ingest lines /var/log/pmta/acct.csv --map powermta.json --follow',
    'posthorn ingest lines /var/log/maillog --map opensmtpd.json --follow',
    'posthorn ingest lines events.ndjson --map stalwart.json --json',
  ],
  async run(input) {
    const map = readLineMap(input.required('map'))
    const accountId = input.text('account')
    if (accountId !== undefined && map.fields.email_id === undefined) {
      throw new UsageError('--account needs a map with fields.email_id')
    }
    return await ingestLog(input, mappedFormat(map), { accountId, by: 'header' })
  },
}
