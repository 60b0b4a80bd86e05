import type { Command } from '../command.ts'
import {
  emailIdOption,
  foreignNames,
  ingestLog,
  ingestNote,
  ingestOptions,
  smarthostOption,
} from './ingest-options.ts'
import { postfixFormat } from './postfix-log.ts'

export const ingestPostfix: Command = {
  name: 'ingest postfix',
  summary: 'Report the outcomes in a Postfix log',
  about: [
    "Reports emails that have one of Posthorn's return paths. To report other emails too, set --email-id. See",
    'docs/connect/postfix.md for the setup.',
    ingestNote,
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'The log file, such as /var/log/mail.log; - for standard input.' }],
  options: { ...ingestOptions, ...smarthostOption, ...emailIdOption },
  examples: [
    'posthorn ingest postfix /var/log/mail.log --follow',
    'journalctl -fu postfix@- -o json | posthorn ingest postfix -',
    'posthorn ingest postfix /var/log/mail.log --follow --smarthost smtp.example.net',
    'posthorn ingest postfix /var/log/mail.log --follow --account acct_… --email-id header:X-Email-ID',
  ],
  async run(input) {
    const { foreign, header } = foreignNames(input)
    return await ingestLog(
      input,
      postfixFormat({ header, smarthosts: new Set(input.all('smarthost')) }),
      foreign,
    )
  },
}
