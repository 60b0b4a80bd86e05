import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@posthorn/client'
import { defaultEventTypes } from '@posthorn/contract'
import { newCustomer, newEndpoint } from '../customer.ts'
import { freePort } from '../free-port.ts'
import { type Arrival, Receiver } from '../receiver.ts'
import { type DemoService, startService } from '../service.ts'
import { type Destination, openDestination } from './destination.ts'
import { followLog } from './follow-log.ts'
import type { MailServer, MailServerOptions } from './mail-server.ts'
import { openNameServer } from './name-server.ts'
import { startPostfix } from './postfix.ts'

// two demos may run at the same time
const network = `127.${53 + ((process.pid >> 8) % 128)}.${process.pid % 256}`
const nameServer = `${network}.1`
const goodAddress = `${network}.25`
const returnPathDomain = 'returns.example'

/** Everything that the demo needs for one mail server: it, the service, a customer, and the customer's receiver. */
export interface MailStage {
  readonly service: DemoService
  readonly customer: Client
  readonly mailServer: MailServer
  readonly receiver: Receiver
  /** The verified events in order of arrival. */
  readonly arrivals: readonly Arrival[]
}

export interface MailStageOptions {
  /** Default: Postfix. */
  start?: (options: MailServerOptions) => Promise<MailServer>
  onArrival?: (one: Arrival) => void
  /**
   * Without the log, Posthorn learns of refusals only from bounce messages, and never of deliveries. Without bounce messages,
   * it learns everything from the log.
   */
  without?: 'log' | 'bounce messages'
  /** Prepares the new data directory, for example with a copy of a database. */
  prepare?: (dataDir: string) => Promise<void>
}

/**
 * Opens the recipients' mail server: `good.example` has one, `closed.example` accepts no mail (a null MX), and other domains
 * do not exist. `opened` closes it.
 */
export async function openRecipients(opened: AsyncDisposableStack): Promise<Destination> {
  opened.use(await openNameServer(nameServer, { 'good.example': goodAddress, 'closed.example': null }))
  return opened.use(await openDestination(goodAddress))
}

/**
 * Starts a mail server and a service that sends through it; `opened` closes them. Bounces go to the SMTP port of the
 * service, and `posthorn ingest` follows the mail server's log.
 */
export async function openMailStage(
  opened: AsyncDisposableStack,
  { start = startPostfix, onArrival = () => {}, without, prepare }: MailStageOptions = {},
): Promise<MailStage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-demo-'))
  opened.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  await prepare?.(dataDir)
  const returnPath = { domain: returnPathDomain, port: await freePort() }
  const mailServer = opened.use(await start({ port: await freePort(), nameServer, returnPath }))
  const service = opened.use(
    await startService(dataDir, {
      POSTHORN_PUBLIC_URL: 'https://mail.sender.example',
      POSTHORN_SMTP_URL: mailServer.smtpUrl,
      POSTHORN_RETURN_PATH_DOMAIN: returnPath.domain,
      ...(without === 'bounce messages' ? {} : { POSTHORN_SMTP_PORT: String(returnPath.port) }),
    }),
  )
  if (without !== 'log') opened.use(followLog(mailServer, service, dataDir))
  const arrivals: Arrival[] = []
  const receiver = opened.use(
    await Receiver.open(one => {
      arrivals.push(one)
      onArrival(one)
      return 200
    }),
  )
  const customer = await newCustomer(service)
  await newEndpoint(customer, receiver, defaultEventTypes)
  return { service, customer, mailServer, receiver, arrivals }
}
