import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { MailDoor } from '../mail/mail-door.ts'
import { Refusal, refusalFor } from './refusal.ts'
import { SessionCount, type SessionLimits, usualSessionLimits } from './session-limits.ts'

export interface SmtpPortOptions {
  readonly door: MailDoor
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** The name by which the server introduces itself. */
  readonly domain: string
  /** PEM; without it, the port does not offer STARTTLS. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  readonly limits?: SessionLimits
  readonly log: {
    info(fields: object, message: string): void
    error(fields: object, message: string): void
  }
}

const sizeMax = 10 * 1024 * 1024
const recipientsMax = 20
const idleMsMax = 60_000
const closeMsMax = 5_000

/**
 * An SMTP server that accepts mail only for return paths and unsubscribe addresses. It answers 250 after the mail is stored,
 * and 451 while the database is unavailable, so that the sender tries again later.
 */
export class SmtpPort implements AsyncDisposable {
  readonly #options: SmtpPortOptions
  readonly #limits: SessionLimits
  readonly #server: SMTPServer
  readonly #sessions = new WeakMap<SMTPServerSession, { rejections: number; end: NodeJS.Timeout }>()
  #heldBytes = 0
  #closed: Promise<void> | undefined

  constructor(options: SmtpPortOptions) {
    this.#options = options
    this.#limits = options.limits ?? usualSessionLimits
    this.#server = new SMTPServer({
      name: options.domain,
      banner: 'Posthorn accepts reports only',
      size: sizeMax,
      // the sender address does not matter, because only the recipient's token identifies the email
      lenientAddressParsing: true,
      socketTimeout: idleMsMax,
      closeTimeout: closeMsMax,
      authOptional: true,
      disabledCommands: options.tls === null ? ['AUTH', 'STARTTLS'] : ['AUTH'],
      ...options.tls,
      disableReverseLookup: true,
      // with it, Exim closes its side behind the last message, and the connection would end before the answer
      hidePIPELINING: true,
      logger: false,
      onConnect: (session, done) => {
        this.#begin(session)
        done()
      },
      onClose: session => clearTimeout(this.#sessions.get(session)?.end),
      onRcptTo: ({ address }, session, done) =>
        void this.#answer(this.#checkRecipient(address, session), done),
      onData: (stream, session, done) => void this.#answer(this.#take(stream, session), done),
    })
    this.#admitFirst()
    // logged as info, because broken connections need no action
    this.#server.on('error', error => options.log.info({ err: error }, 'an SMTP connection failed'))
  }

  /**
   * @returns the port in use
   * @throws if it cannot listen
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

  /** Checks the limits before the SMTP server sees the connection, so that refused connections use no session. */
  #admitFirst(): void {
    const { server } = this.#server
    const listeners = server.listeners('connection')
    const count = new SessionCount(this.#limits)
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      if (count.admit(socket)) {
        for (const listener of listeners) listener.call(server, socket)
        return
      }
      socket.on('error', () => {})
      socket.end('421 4.7.0 Too many connections, try again later\r\n', () => socket.destroy())
    })
  }

  #begin(session: SMTPServerSession): void {
    const end = setTimeout(() => {
      const found = [...this.#server.connections].find(connection => connection.session === session)
      found?.send(421, '4.4.2 The session has lasted too long')
    }, this.#limits.sessionMsMax)
    end.unref()
    this.#sessions.set(session, { rejections: 0, end })
  }

  async #checkRecipient(address: string, session: SMTPServerSession): Promise<void> {
    if (session.envelope.rcptTo.length >= recipientsMax) throw new Refusal(452, '4.5.3 Too many recipients')
    if (await this.#options.door.isOwnRecipient(address)) return
    const counted = this.#sessions.get(session)
    if (counted !== undefined && (counted.rejections += 1) > this.#limits.rejectionsMax) {
      throw new Refusal(421, '4.7.0 Too many unknown recipients')
    }
    throw new Refusal(550, '5.1.1 No such address here')
  }

  async #take(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
    const mail = await this.#readAll(stream)
    try {
      await this.#takeMail(mail, envelope)
    } finally {
      this.#heldBytes -= mail.length
    }
  }

  async #takeMail(mail: Buffer, { mailFrom, rcptTo }: SMTPServerSession['envelope']): Promise<void> {
    const { door, log } = this.#options
    const hasNullSender = mailFrom === false || mailFrom.address === ''
    const answers = await door.take(mail, { recipients: rcptTo.map(({ address }) => address), hasNullSender })
    for (const { accepted, ignored } of answers) {
      log.info({ events: accepted, ignored: ignored.map(({ reason }) => reason) }, 'received a mail')
    }
  }

  async #answer(work: Promise<void>, done: (error?: Error | null) => void): Promise<void> {
    try {
      await work
      done()
    } catch (error) {
      const refusal = refusalFor(error)
      if (!(error instanceof Refusal))
        this.#options.log.error({ err: error }, 'Posthorn could not accept a mail')
      done(refusal)
    }
  }

  /**
   * Reads a message to its end, because only then the server can answer. Discards a message that exceeds a limit. The bytes
   * count as held until the mail is processed.
   */
  async #readAll(stream: SMTPServerDataStream): Promise<Buffer> {
    const chunks: Buffer[] = []
    let bytes = 0
    let refusal: Refusal | null = null
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (refusal !== null) continue
        if (bytes + chunk.length > sizeMax) refusal = new Refusal(552, '5.3.4 Message too big')
        else if (this.#heldBytes + chunk.length > this.#limits.heldBytesMax)
          refusal = new Refusal(452, '4.3.1 Too much mail at the same time, try again later')
        else {
          bytes += chunk.length
          this.#heldBytes += chunk.length
          chunks.push(chunk)
          continue
        }
        chunks.length = 0
        this.#heldBytes -= bytes
        bytes = 0
      }
      if (refusal !== null) throw refusal
      return Buffer.concat(chunks)
    } catch (error) {
      this.#heldBytes -= bytes
      throw error
    }
  }
}
