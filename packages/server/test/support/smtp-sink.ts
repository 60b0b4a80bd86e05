import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail server on loopback that stores what it accepts. */
export interface SmtpSink extends AsyncDisposable {
  /** For `POSTHORN_SMTP_URL`. */
  url: string
  /** The accepted mails, in order. */
  taken: TakenMail[]
  /** The accepted mails for an address. */
  for(address: string): TakenMail[]
}

export interface TakenMail {
  from: string
  to: string[]
  /** The unchanged headers and body. */
  raw: Buffer
}

/** Refuses a recipient or a message with a reply. Undefined accepts it. */
export type Refuse = (address: string) => string | Promise<string | undefined> | undefined

export interface SinkOptions {
  onRecipient?: Refuse
  /** Called when the whole message has arrived. */
  onMessage?: Refuse
  server?: SMTPServerOptions
}

export async function startSmtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const taken: TakenMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo: ({ address }, _session, done) => void answer(options.onRecipient, address, done),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        void answer(options.onMessage, to[0] ?? '', error => {
          if (error === null) {
            taken.push({ from: mailFrom === false ? '' : mailFrom.address, to, raw: Buffer.concat(chunks) })
          }
          done(error)
        })
      })
    },
    ...options.server,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    for: address => taken.filter(mail => mail.to.includes(address)),
    [Symbol.asyncDispose]: async () => await new Promise<void>(resolve => server.close(resolve)),
  }
}

async function answer(
  refuse: Refuse | undefined,
  address: string,
  done: (error: Error | null) => void,
): Promise<void> {
  const reply = await refuse?.(address)
  if (reply === undefined) return done(null)
  done(Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) }))
}

/** The unfolded value of a header field; null if it is missing. */
export function headerOf(raw: Buffer, name: string): string | null {
  const head = raw.toString('latin1').split('\r\n\r\n')[0] ?? ''
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ')
  const found = unfolded.split('\r\n').find(line => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return found === undefined ? null : found.slice(name.length + 1).trim()
}
