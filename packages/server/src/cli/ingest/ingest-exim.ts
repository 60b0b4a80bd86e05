import type { Command } from '../command.ts'
import { eximFormat } from './exim-log.ts'
import {
  emailIdOption,
  foreignNames,
  ingestLog,
  ingestNote,
  ingestOptions,
  smarthostOption,
} from './ingest-options.ts'

export const ingestExim: Command = {
  name: 'ingest exim',
  summary: 'Report the outcomes in an Exim main log',
  about: [
    "Reports emails that have one of Posthorn's return paths. To report other emails too, set --email-id. See",
    'docs/connect/exim.md for the setup.',
    ingestNote,
  ].join('\n'),
  operands: [
    { name: 'file', meaning: 'The main log, such as /var/log/exim4/mainlog; - for standard input.' },
  ],
  options: { ...ingestOptions, ...smarthostOption, ...emailIdOption },
  examples: [
    'posthorn ingest exim /var/log/exim4/mainlog --follow',
    'journalctl -ft exim4 -o json | posthorn ingest exim -',
    'posthorn ingest exim /var/log/exim4/mainlog --follow --smarthost smtp.example.net',
    'posthorn ingest exim /var/log/exim4/mainlog --follow --account acct_… --email-id message-id',
  ],
  async run(input) {
    const { foreign, header } = foreignNames(input)
    return await ingestLog(
      input,
      eximFormat({ header, smarthosts: new Set(input.all('smarthost')) }),
      foreign,
    )
  },
}
