import type { Client } from '@posthorn/client'
import { isEvent, type WebhookEvent } from '@posthorn/receiver'
import { ConfigError, readDatabaseSettings } from '../../config.ts'
import { calledAs } from '../called-as.ts'
import { CommandError, UsageError } from '../command-error.ts'
import type { CommandInput } from '../command-input.ts'
import type { Command, Report } from '../command.ts'
import { type Connection, operatorConnection, operatorNote, operatorOptions } from '../connection.ts'
import { printJson, printLines } from '../print.ts'
import { serviceClient } from '../service-client.ts'
import { stopSignal } from '../stop-signal.ts'
import { confirmServerDatabase } from './confirm-server-database.ts'
import { createQuickstart } from './create-quickstart.ts'
import { existingQuickstart } from './existing-quickstart.ts'
import { nextSteps } from './next-steps.ts'
import { QuickstartFile } from './quickstart-file.ts'
import { QuickstartReceiver } from './quickstart-receiver.ts'
import { receiverUrl } from './receiver-url.ts'
import { removeQuickstart } from './remove-quickstart.ts'
import { reportSamples } from './report-samples.ts'

export const quickstart: Command = {
  name: 'quickstart',
  summary: 'See four signed events arrive on this machine',
  about: [
    'Creates an account, an API key and an endpoint, and starts a receiver on this machine. Then it reports one outcome',
    'of each type, and shows each event when the receiver has verified its signature. Everything stays for you to try',
    'out, until you delete it with --remove.',
    'Run it on the same machine as the service. The service then delivers to one loopback address and port, for this',
    'endpoint only. If the service uses a PostgreSQL server, the command asks first.',
    operatorNote,
  ].join('\n'),
  options: {
    listen: { meaning: 'Start only the receiver, and show the events that arrive until Ctrl-C.' },
    remove: { meaning: 'Delete the account with its API key, its endpoint and its data.' },
    yes: { meaning: 'Do not ask before using a PostgreSQL server.' },
    ...operatorOptions,
  },
  examples: [
    'posthorn quickstart',
    'posthorn quickstart --listen',
    'posthorn quickstart --remove',
    'posthorn quickstart --yes --json',
  ],
  async run(input) {
    if (input.flag('listen') && input.flag('remove')) {
      throw new UsageError('--listen and --remove cannot be combined')
    }
    const connection = operatorConnection(input)
    refuseOtherMachine(connection)
    const { dataDir, databaseUrl } = placeOfData()
    const file = new QuickstartFile(dataDir)
    const place = { connection, operator: serviceClient(connection), file, dataDir }
    if (input.flag('remove')) return await removeQuickstart(place.operator, place.file)
    if (input.flag('listen')) return await listenAgain(place, input)
    return await firstEvents(place, input, databaseUrl !== null)
  },
}

interface Place {
  readonly connection: Connection
  readonly operator: Client
  readonly file: QuickstartFile
  readonly dataDir: string
}

function placeOfData(): ReturnType<typeof readDatabaseSettings> {
  try {
    return readDatabaseSettings()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new CommandError('setting_invalid', error.message, { cause: error })
  }
}

/** Only a service on this machine can reach the receiver. */
function refuseOtherMachine({ url }: Connection): void {
  if (['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname)) return
  throw new CommandError(
    'service_elsewhere',
    `the receiver of quickstart listens on this machine, but the service is at ${url}: run quickstart there, or give the local address with --url`,
  )
}

async function firstEvents(
  { connection, operator, file, dataDir }: Place,
  input: CommandInput,
  hasDatabaseUrl: boolean,
): Promise<Report> {
  const say = input.flag('json') ? () => {} : printLines
  await using receiver = new QuickstartReceiver()
  const existing = await existingQuickstart(connection, operator, file)
  if (existing === null) {
    await confirmServerDatabase(operator, { hasDatabaseUrl, isConfirmed: input.flag('yes') })
  }
  const port = await receiver.listen(existing?.port ?? 0)
  const made = existing ?? (await createQuickstart(connection, operator, file, port))
  say(existing === null ? 'Created an account, an API key and an endpoint.' : 'The account already exists.')
  say(`The receiver is listening at ${receiverUrl(port)}.\n`)
  say('Reporting one outcome of each type. Each event appears when the receiver has verified it:\n')
  receiver.accept(made.secret, event => say(eventLine(event)))
  const events = await reportSamples(connection, made, receiver)
  const { account_id, api_key, webhook_id } = made
  return {
    exitCode: 0,
    json: { account_id, api_key, webhook_id, url: receiverUrl(port), kept_in: file.path, events },
    text: nextSteps(made, { url: connection.url, dataDir, path: file.path }),
  }
}

async function listenAgain({ connection, operator, file }: Place, input: CommandInput): Promise<Report> {
  const made = await existingQuickstart(connection, operator, file)
  if (made === null) {
    throw new CommandError(
      'quickstart_missing',
      `there is no receiver yet: run ${calledAs()} quickstart first`,
    )
  }
  const stop = stopSignal()
  await using receiver = new QuickstartReceiver()
  await receiver.listen(made.port)
  receiver.accept(made.secret, event => {
    if (input.flag('json')) printJson(event)
    else printLines(eventLine(event))
  })
  if (!input.flag('json')) {
    printLines(
      `Listening at ${receiverUrl(made.port)}. Failed deliveries arrive with their next retry. Press Ctrl-C to stop.\n`,
    )
  }
  await new Promise<void>(ended => {
    stop.addEventListener('abort', () => ended())
    if (stop.aborted) ended()
  })
  return { exitCode: 0 }
}

/** Describes a verified event on one line. */
function eventLine(event: WebhookEvent): string {
  const to = event.data.to.join(', ')
  const ms = Math.max(0, Date.now() - Date.parse(event.created_at))
  return `  ✓ ${event.type.padEnd(18)}  ${to.padEnd(18)}  ${duration(ms).padStart(6)}  ${sentence(event)}`
}

function sentence(event: WebhookEvent): string {
  if (isEvent(event, 'email.delivered')) return 'The mail server accepted the email.'
  if (isEvent(event, 'email.bounced')) return event.data.bounce.message
  if (isEvent(event, 'email.failed')) return event.data.failure.message
  return 'The recipient unsubscribed.'
}

function duration(ms: number): string {
  return ms < 10_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} s`
}
