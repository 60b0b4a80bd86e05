import { ApiProblem } from '@posthorn/client'
import { routes, type SourceAccepted } from '@posthorn/contract'
import { ConfigError, readImapSettings } from '../../config.ts'
import type { ImapMailbox } from '../../domain/imap-url.ts'
import type { Command } from '../command.ts'
import { CommandError } from '../command-error.ts'
import type { CommandInput } from '../command-input.ts'
import { customerOptions, reporterConnection } from '../connection.ts'
import { printError } from '../print.ts'
import { rawRequest } from '../raw-request.ts'
import { stopSignal } from '../stop-signal.ts'
import { isTemporary, pauseBeforeTry } from '../temporary-failure.ts'
import { readBounceMailbox } from './bounce-mailbox.ts'
import { IngestTally } from './ingest-tally.ts'

export const ingestImap: Command = {
  name: 'ingest imap',
  summary: 'Report the messages in a bounce mailbox',
  about: [
    'Reads the mailbox in POSTHORN_IMAP_URL: imaps://user:password@host/INBOX, or imap:// for STARTTLS. Hands each message to',
    'Posthorn, and then moves it to another mailbox. With --follow, it continues until Ctrl-C. See docs/connect/imap.md.',
    'Needs an API key with the scope ingest (--api-key or POSTHORN_API_KEY), or the operator token (POSTHORN_ADMIN_TOKEN,',
    'or the file admin-token in the data directory).',
  ].join('\n'),
  options: {
    follow: { meaning: 'Continue until stopped.' },
    done: { value: 'mailbox', meaning: 'Where the messages go afterwards (default Posthorn).' },
    ...customerOptions,
  },
  examples: [
    'POSTHORN_IMAP_URL=imaps://bounces%40acme.example:secret@imap.acme.example posthorn ingest imap --follow',
    'posthorn ingest imap --done Archive/Bounces --json',
  ],
  async run(input) {
    const stop = stopSignal()
    const tally = new IngestTally('messages')
    const say = (text: string): void => void (input.flag('json') || printError(text))
    await readBounceMailbox(mailboxSettings(), {
      follow: input.flag('follow'),
      doneMailbox: input.text('done') ?? 'Posthorn',
      stop,
      say,
      report: reporter(input, stop, say),
      onReported: answer => {
        tally.line()
        if (typeof answer !== 'string') tally.answer(answer)
        else {
          tally.passedOver(answer)
          say(`Posthorn did not take a message: ${answer.replaceAll('_', ' ')}`)
        }
      },
    })
    return { exitCode: 0, json: tally.json(), text: tally.text() }
  },
}

function mailboxSettings(): ImapMailbox {
  try {
    return readImapSettings()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new CommandError('setting_invalid', error.message, { cause: error })
  }
}

const timeoutMs = 60_000
const pauseMsMax = 30_000

/** Reports a message, and with --follow waits while the service does not answer. */
function reporter(input: CommandInput, stop: AbortSignal, say: (text: string) => void) {
  const connection = reporterConnection(input)
  return async (mail: Buffer): Promise<SourceAccepted | 'refused' | null> => {
    for (let tries = 0; !stop.aborted; tries++) {
      try {
        const answer = await rawRequest(connection, routes.reportMessage, {
          content: { body: new Uint8Array(mail), contentType: 'message/rfc822' },
          query: { source: 'imap' },
          signal: AbortSignal.timeout(timeoutMs),
        })
        return routes.reportMessage.success.schema.parse(await answer.json())
      } catch (error) {
        // another try would get the same answer
        if (error instanceof ApiProblem && [400, 413, 422].includes(error.status)) return 'refused'
        if (!input.flag('follow') || !isTemporary(error)) throw error
        if (tries === 0) say(`Waiting for the service: ${error.message}`)
        await pauseBeforeTry(tries, pauseMsMax, stop)
      }
    }
    return null
  }
}
