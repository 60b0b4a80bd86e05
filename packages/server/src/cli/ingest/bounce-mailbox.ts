import { once } from 'node:events'
import type { SourceAccepted } from '@posthorn/contract'
import type { ImapFlow } from 'imapflow'
import type { ImapMailbox } from '../../domain/imap-url.ts'
import { CommandError } from '../command-error.ts'
import { pauseBeforeTry } from '../temporary-failure.ts'

export interface MailboxOptions {
  /** Continue until stopped, and connect again after failures. */
  readonly follow: boolean
  /** Where messages go after they are reported. */
  readonly doneMailbox: string
  readonly stop: AbortSignal
  readonly say: (text: string) => void
  /** Reports a message. Resolves after the service has stored its results; null if it was stopped before. */
  readonly report: (mail: Buffer) => Promise<SourceAccepted | 'refused' | null>
  readonly onReported: (answer: SourceAccepted | 'refused' | 'too_large') => void
}

/** As the service accepts. */
const mailBytesMax = 10 * 1_024 * 1_024
const pollMs = 60_000
const pauseMsMax = 60_000

/**
 * Reports every message in the mailbox. It moves a message only after the service has stored the results. If the process is
 * killed in between, it reports the message again and the service ignores the duplicate.
 *
 * @throws CommandError if the first connection fails, or the server does not let it move messages
 */
export async function readBounceMailbox(server: ImapMailbox, options: MailboxOptions): Promise<void> {
  const { follow, stop, say } = options
  for (let tries = -1; !stop.aborted; ) {
    const session = { hasWorked: false }
    try {
      await readOnce(server, options, session)
      if (!follow) return
    } catch (error) {
      if (stop.aborted) return
      const isFirst = tries < 0 && !session.hasWorked
      if (!follow || isFirst || error instanceof CommandError) throw described(error, server)
      say(`Connecting to the mailbox again: ${described(error, server).message}`)
    }
    tries = session.hasWorked ? 0 : Math.max(0, tries) + 1
    await pauseBeforeTry(tries, pauseMsMax, stop)
  }
}

async function readOnce(
  server: ImapMailbox,
  options: MailboxOptions,
  session: { hasWorked: boolean },
): Promise<void> {
  const client = await newClient(server)
  let lost: unknown = null
  client.on('error', error => (lost = error))
  const abort = (): void => client.close()
  options.stop.addEventListener('abort', abort)
  try {
    await client.connect()
    await client.mailboxCreate(options.doneMailbox)
    await client.mailboxOpen(server.mailbox)
    session.hasWorked = true
    for (;;) {
      const uids = await client.search({ all: true }, { uid: true })
      if (!Array.isArray(uids)) throw new CommandError('imap_failed', `cannot search ${server.mailbox}`)
      for (const uid of uids) if (!(await handOver(client, uid, options))) return
      if (uids.length > 0) continue
      if (!options.follow || options.stop.aborted) break
      await newMail(client, options.stop)
      if (lost !== null || !client.usable) throw lost ?? new Error('the server closed the connection')
    }
    await client.logout()
  } finally {
    options.stop.removeEventListener('abort', abort)
    client.close()
  }
}

/** @returns false if the command was stopped before the message was reported */
async function handOver(client: ImapFlow, uid: number, options: MailboxOptions): Promise<boolean> {
  const { report, onReported, doneMailbox, stop } = options
  if (stop.aborted) return false
  const head = await client.fetchOne(String(uid), { size: true }, { uid: true })
  if (head === false) return true
  const isTooLarge = (head.size ?? 0) > mailBytesMax
  const message = isTooLarge ? null : await client.fetchOne(String(uid), { source: true }, { uid: true })
  // somebody deleted it meanwhile
  if (message === false || (message !== null && message.source === undefined)) return true
  const answer = message?.source === undefined ? 'too_large' : await report(message.source)
  if (answer === null) return false
  const moved = await client.messageMove(String(uid), doneMailbox, { uid: true })
  if (moved === false)
    throw new CommandError('imap_failed', `the server does not move messages to ${doneMailbox}`)
  onReported(answer)
  return true
}

/** Waits until the server announces a message, for a minute at most. Resolves early if the connection ends. */
async function newMail(client: ImapFlow, stop: AbortSignal): Promise<void> {
  const done = new AbortController()
  const signal = AbortSignal.any([stop, done.signal, AbortSignal.timeout(pollMs)])
  const announced = [once(client, 'exists', { signal }), once(client, 'close', { signal })]
  // any later command ends it
  void client.idle().catch(() => false)
  await Promise.race(announced).catch(() => null)
  done.abort()
  await Promise.allSettled(announced)
}

async function newClient({ host, port, isTls, isLoopback, user, password }: ImapMailbox): Promise<ImapFlow> {
  // loaded here because no other command needs it
  const { ImapFlow: Client } = await import('imapflow')
  return new Client({
    host,
    port,
    secure: isTls,
    // on this machine, the connection may be without TLS
    ...(!isTls && !isLoopback && { doSTARTTLS: true }),
    ...(isLoopback && { tls: { rejectUnauthorized: false } }),
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    maxLiteralSize: 2 * mailBytesMax,
  })
}

function described(error: unknown, { host, port, user }: ImapMailbox): CommandError {
  if (error instanceof CommandError) return error
  const { message, responseText, authenticationFailed } = error as Error & {
    responseText?: string
    authenticationFailed?: boolean
  }
  const reason = responseText ?? message
  const code = authenticationFailed === true ? 'imap_login_failed' : 'imap_failed'
  const what = authenticationFailed === true ? `the login of ${user} at` : 'the connection to'
  return new CommandError(code, `${what} ${host}:${port} failed: ${reason}`, { cause: error })
}
