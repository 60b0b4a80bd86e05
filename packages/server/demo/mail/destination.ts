import { once } from 'node:events'
import { SMTPServer, type SMTPServerAddress } from 'smtp-server'

/** The answer of each mailbox by its local part; every other mailbox accepts mail. */
const refusals: Readonly<Record<string, readonly [code: number, text: string]>> = {
  nobody: [550, '5.1.1 The email account that you tried to reach does not exist'],
  guarded: [550, '5.7.1 Message rejected by our content policy'],
  full: [552, '5.2.2 The mailbox is over its quota'],
}
const greylisted = 'later'

/** An email that the destination accepted. */
export interface Accepted {
  readonly sender: string
  readonly recipient: string
  readonly message: string
}

/** The mail server of the recipients' domain, on port 25 of a loopback address. */
export interface Destination extends AsyncDisposable {
  readonly accepted: readonly Accepted[]
}

/** The mailbox `later` rejects the first try of each mail server with 451 4.7.1, as greylisting does. */
export async function openDestination(address: string): Promise<Destination> {
  const accepted: Accepted[] = []
  const known = new Set<string>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address: recipient }: SMTPServerAddress, session, callback) => {
      const mailbox = recipient.split('@')[0] ?? ''
      const refusal = refusals[mailbox]
      if (refusal !== undefined) return callback(reply(...refusal))
      const pair = `${session.hostNameAppearsAs} ${recipient}`
      if (mailbox === greylisted && !known.has(pair)) {
        known.add(pair)
        return callback(reply(451, '4.7.1 Greylisted, try again later'))
      }
      callback()
    },
    onData: (stream, { envelope }, callback) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const message = Buffer.concat(parts).toString()
        const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        for (const { address: recipient } of envelope.rcptTo) accepted.push({ sender, recipient, message })
        callback()
      })
    },
  })
  server.listen(25, address)
  await once(server.server, 'listening')
  return {
    accepted,
    [Symbol.asyncDispose]: async () => {
      await new Promise<void>(resolve => server.close(resolve))
    },
  }
}

function reply(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code })
}
