import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@posthorn/client'
import { eventTypes } from '@posthorn/contract'
import { newCustomer, newEndpoint } from '../customer.ts'
import { freePort } from '../free-port.ts'
import { type Arrival, Receiver } from '../receiver.ts'
import { type DemoService, startService } from '../service.ts'
import { type Destination, openDestination } from './destination.ts'
import { followLog } from './follow-log.ts'
import { openNameServer } from './name-server.ts'
import { type Postfix, startPostfix } from './postfix.ts'

const nameServer = '127.53.0.1'
const goodAddress = '127.53.0.25'
const returnPathDomain = 'returns.example'

/** Everything that the demo needs: the service, Postfix, the recipients' mail server, and a receiver. */
export interface MailStage {
  readonly service: DemoService
  readonly customer: Client
  readonly postfix: Postfix
  readonly destination: Destination
  readonly receiver: Receiver
  /** The verified events in order of arrival. */
  readonly arrivals: readonly Arrival[]
}

export interface MailStageOptions {
  onArrival?: (one: Arrival) => void
  /** If false, Posthorn learns of refusals only from bounce messages, and never of deliveries. */
  followsLog?: boolean
}

/**
 * Starts everything; `opened` closes it. `good.example` has a mail server, `closed.example` accepts no mail (a null MX),
 * and other domains do not exist. Bounces go to the SMTP port of the service, and `posthorn ingest postfix` follows the
 * log of Postfix.
 */
export async function openMailStage(
  opened: AsyncDisposableStack,
  { onArrival = () => {}, followsLog = true }: MailStageOptions = {},
): Promise<MailStage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-demo-'))
  opened.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  opened.use(await openNameServer(nameServer, { 'good.example': goodAddress, 'closed.example': null }))
  const destination = opened.use(await openDestination(goodAddress))
  const returnPath = { domain: returnPathDomain, port: await freePort() }
  const postfix = opened.use(await startPostfix({ port: await freePort(), nameServer, returnPath }))
  const service = opened.use(
    await startService(dataDir, {
      POSTHORN_PUBLIC_URL: 'https://mail.sender.example',
      POSTHORN_SMTP_URL: postfix.smtpUrl,
      POSTHORN_SMTP_PORT: String(returnPath.port),
      POSTHORN_RETURN_PATH_DOMAIN: returnPath.domain,
    }),
  )
  if (followsLog) opened.use(followLog(postfix.logFile, service, dataDir))
  const arrivals: Arrival[] = []
  const receiver = opened.use(
    await Receiver.open(one => {
      arrivals.push(one)
      onArrival(one)
      return 200
    }),
  )
  const customer = await newCustomer(service)
  await newEndpoint(customer, receiver, eventTypes)
  return { service, customer, postfix, destination, receiver, arrivals }
}
