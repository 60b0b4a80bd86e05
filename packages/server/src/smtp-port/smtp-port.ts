import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Ctx } from '../context.ts'
import { readIncoming } from '../mail/read-incoming.ts'
import { type MessageContext, takeMessage } from '../sources/take-message.ts'
import { isOwnRecipient } from './own-recipient.ts'
import { Refusal, refusalFor } from './refusal.ts'

export interface SmtpPortOptions {
  readonly ctx: Ctx & MessageContext
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Mail to any other is refused. */
  readonly domain: string
  /** PEM; without it STARTTLS is not offered. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  readonly log: {
    info(fields: object, message: string): void
    error(fields: object, message: string): void
  }
}

const sizeMax = 10 * 1024 * 1024
const clientsMax = 50
const recipientsMax = 20
const idleMsMax = 60_000
const closeMsMax = 5_000

/**
 * Takes mail for return paths and for addresses to unsubscribe, and for nobody else. What it has answered with 250 is
 * stored; while the database is away it answers 451, and whoever sends tries again later.
 */
export class SmtpPort implements AsyncDisposable {
  readonly #options: SmtpPortOptions
  readonly #server: SMTPServer
  #closed: Promise<void> | undefined

  constructor(options: SmtpPortOptions) {
    this.#options = options
    this.#server = new SMTPServer({
      name: options.domain,
      banner: 'Posthorn takes reports only',
      size: sizeMax,
      maxClients: clientsMax,
      socketTimeout: idleMsMax,
      closeTimeout: closeMsMax,
      authOptional: true,
      disabledCommands: options.tls === null ? ['AUTH', 'STARTTLS'] : ['AUTH'],
      ...options.tls,
      disableReverseLookup: true,
      logger: false,
      onRcptTo: ({ address }, session, done) =>
        void this.#answer(this.#checkRecipient(address, session), done),
      onData: (stream, session, done) => void this.#answer(this.#take(stream, session), done),
    })
    // of a connection that breaks off; nobody has to do anything about it
    this.#server.on('error', error => options.log.info({ err: error }, 'an SMTP connection failed'))
  }

  /**
   * @returns the port on which it listens
   * @throws when it cannot listen there
   */
  async start(): Promise<number> {
    const { host, port } = this.#options
    await new Promise<void>((resolve, reject) => {
      this.#server.server.once('error', reject)
      this.#server.listen(port, host, resolve)
    })
    return (this.#server.server.address() as AddressInfo).port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= new Promise(resolve => this.#server.close(resolve))
    await this.#closed
  }

  async #checkRecipient(address: string, { envelope }: SMTPServerSession): Promise<void> {
    const { ctx, domain } = this.#options
    if (envelope.rcptTo.length >= recipientsMax) throw new Refusal(452, '4.5.3 Too many recipients')
    if (await isOwnRecipient(ctx, address, domain)) return
    throw new Refusal(550, '5.1.1 No such address here')
  }

  async #take(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
    const { ctx, log } = this.#options
    const mail = await readAll(stream)
    const incoming = await readIncoming(mail)
    const hasNullSender = envelope.mailFrom === false || envelope.mailFrom.address === ''
    for (const { address } of envelope.rcptTo) {
      const { accepted, ignored } = await takeMessage(
        ctx,
        { mail, incoming, recipient: address, hasNullSender },
        null,
      )
      log.info({ events: accepted, ignored: ignored.map(({ reason }) => reason) }, 'a mail came in')
    }
  }

  async #answer(work: Promise<void>, done: (error?: Error | null) => void): Promise<void> {
    try {
      await work
      done()
    } catch (error) {
      const refusal = refusalFor(error)
      if (!(error instanceof Refusal)) this.#options.log.error({ err: error }, 'a mail could not be taken')
      done(refusal)
    }
  }
}

/** Reads on beyond the limit, because the answer comes only after the end; what is too much is not kept. */
async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= sizeMax) chunks.push(chunk)
  }
  if (bytes > sizeMax || stream.sizeExceeded) throw new Refusal(552, '5.3.4 Message too big')
  return Buffer.concat(chunks)
}
