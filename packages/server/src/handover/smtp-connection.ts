import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { isIP, connect as connectSocket, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'
import type { Stage } from '../domain/classify/stage.ts'
import type { SmtpServer } from '../domain/smtp-url.ts'
import { SmtpFailure } from './smtp-failure.ts'
import { SmtpReplies, type SmtpReply } from './smtp-replies.ts'

/** How long a server may take to become ready, and how long it may then be silent. */
const openMsMax = 15_000
const silentMsMax = 60_000
/** A server may check a whole message before it answers: RFC 5321 section 4.5.3.2.6. */
const acceptMsMax = 600_000

/**
 * A connection to a mail server after greeting, encryption and login, as its URL requires. It sends the next command only after
 * the reply to the last one.
 */
export class SmtpConnection implements Disposable {
  /** The server's extensions: keywords in upper case, with their parameters. */
  extensions: ReadonlyMap<string, string> = new Map()
  /** Until when the server's certificate is valid, in milliseconds since the epoch; null without TLS. */
  certificateExpiresAtMs: number | null = null
  readonly #server: SmtpServer
  #socket: Socket
  #replies: SmtpReplies
  #stage: Stage = 'connect'

  private constructor(server: SmtpServer) {
    this.#server = server
    this.#socket = connectSocket({ host: server.host, port: server.port, noDelay: true, keepAlive: true })
    this.#replies = new SmtpReplies(this.#socket)
  }

  /** @throws SmtpFailure */
  static async open(server: SmtpServer): Promise<SmtpConnection> {
    const connection = new SmtpConnection(server)
    const deadline = setTimeout(() => connection.#giveUp(), openMsMax)
    try {
      await connection.#prepare()
      return connection
    } catch (error) {
      connection[Symbol.dispose]()
      throw connection.#failure(error)
    } finally {
      clearTimeout(deadline)
    }
  }

  /** Whether a command may be sent on it. */
  get isUsable(): boolean {
    return this.#socket.writable && this.#replies.isClean
  }

  /** Sends a command and returns its reply, positive or not. @throws SmtpFailure if none comes */
  async command(stage: Stage, line: string | Buffer): Promise<SmtpReply> {
    this.#stage = stage
    try {
      this.#replies.expectClean()
      const reply = this.#replies.next()
      this.#socket.setTimeout(stage === 'end_of_data' ? acceptMsMax : silentMsMax)
      // cannot contain a line break: addresses were checked when they were accepted
      this.#socket.write(typeof line === 'string' ? `${line}\r\n` : line)
      return await reply
    } catch (error) {
      throw this.#failure(error)
    }
  }

  /** Sends QUIT and does not wait for the reply. */
  quit(): void {
    if (this.#socket.writable) this.#socket.end('QUIT\r\n')
    this.#socket.setTimeout(1_000, () => this.#socket.destroy())
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }

  async #prepare(): Promise<void> {
    this.#watchSilence()
    if (this.#server.isTls) {
      await once(this.#socket, 'connect')
      await this.#encrypt()
    }
    this.#stage = 'connect'
    this.#expect(await this.#replies.next(), 220)
    await this.#greet()
    if (!this.#server.isTls && (this.#server.mustStartTls || this.extensions.has('STARTTLS'))) {
      this.#expect(await this.command('tls', 'STARTTLS'), 220)
      await this.#encrypt()
      await this.#greet()
    }
    await this.#logIn()
  }

  async #greet(): Promise<void> {
    const reply = await this.command('ehlo', `EHLO ${ownName()}`)
    if (reply.code === 250) {
      this.extensions = extensionsIn(reply.text)
      return
    }
    this.extensions = new Map()
    this.#expect(await this.command('ehlo', `HELO ${ownName()}`), 250)
  }

  async #encrypt(): Promise<void> {
    this.#stage = 'tls'
    const { host, anyCertificate } = this.#server
    // bytes that came before the handshake are not authenticated
    this.#replies.expectClean()
    this.#replies.release()
    const socket = connectTls({
      socket: this.#socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ...(anyCertificate && { rejectUnauthorized: false }),
    })
    this.#socket = socket
    this.#replies = new SmtpReplies(socket)
    this.#watchSilence()
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('The connection was closed.')))
    })
    this.certificateExpiresAtMs = socket.getPeerX509Certificate()?.validToDate.getTime() ?? null
  }

  /** Fails if the login fails: a server that relays for anyone might send the mail under another name. */
  async #logIn(): Promise<void> {
    const { login } = this.#server
    if (login === null) return
    this.#stage = 'auth'
    const offered = new Set(this.extensions.get('AUTH')?.toUpperCase().split(/\s+/))
    const base64 = (text: string): string => Buffer.from(text).toString('base64')
    if (offered.has('PLAIN')) {
      this.#expect(
        await this.command('auth', `AUTH PLAIN ${base64(`\0${login.user}\0${login.password}`)}`),
        235,
      )
    } else if (offered.has('LOGIN')) {
      this.#expect(await this.command('auth', 'AUTH LOGIN'), 334)
      this.#expect(await this.command('auth', base64(login.user)), 334)
      this.#expect(await this.command('auth', base64(login.password)), 235)
    } else if (offered.has('CRAM-MD5')) {
      const { text } = this.#expect(await this.command('auth', 'AUTH CRAM-MD5'), 334)
      const challenge = Buffer.from(text.slice(4), 'base64')
      const digest = createHmac('md5', login.password).update(challenge).digest('hex')
      this.#expect(await this.command('auth', base64(`${login.user} ${digest}`)), 235)
    } else {
      throw new SmtpFailure(
        'auth',
        null,
        'The mail server offers no way to log in, although POSTHORN_SMTP_URL has a login.',
      )
    }
  }

  #expect(reply: SmtpReply, code: number): SmtpReply {
    if (reply.code !== code) throw new SmtpFailure(this.#stage, reply, 'The mail server refused.')
    return reply
  }

  #watchSilence(): void {
    this.#socket.setTimeout(silentMsMax, () => this.#giveUp())
  }

  #giveUp(): void {
    this.#socket.destroy(new Error('The mail server did not answer in time.'))
  }

  #failure(error: unknown): SmtpFailure {
    return error instanceof SmtpFailure ? error : new SmtpFailure(this.#stage, null, '', error)
  }
}

/** RFC 5321 requires a full name, or an address in brackets. */
function ownName(): string {
  const name = hostname()
  return name.includes('.') && isIP(name) === 0 ? name : '[127.0.0.1]'
}

/** Each line after the first is an extension; old servers write `AUTH=LOGIN`. */
function extensionsIn(reply: string): Map<string, string> {
  const lines = reply.split('\n').slice(1)
  const pairs = lines.map(line => /^\d{3}[ -]([\w-]+)[ =]?(.*)$/.exec(line))
  return new Map(
    pairs.flatMap(pair => (pair === null ? [] : [[pair[1]?.toUpperCase() ?? '', pair[2] ?? '']])),
  )
}
