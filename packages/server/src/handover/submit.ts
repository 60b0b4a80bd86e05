import type { SendMailOptions } from 'nodemailer'
import type { Submission } from '../domain/decide-handover.ts'
import type { SmtpServer } from '../domain/smtp-url.ts'
import type { SigningDomain } from '../domains/signing-domain.ts'
import { compileMessage } from './compile-message.ts'
import { SmtpConnection } from './smtp-connection.ts'
import { SmtpFailure } from './smtp-failure.ts'
import { runTransaction } from './smtp-transaction.ts'

/** A message, its envelope, and the key that signs it; null if nothing does. */
export type Message = Omit<SendMailOptions, 'dkim'> & {
  readonly envelope: { readonly from: string; readonly to: string }
  readonly dkim: SigningDomain | null
}

/** The mail server that relays our mail. */
export interface Submitter {
  /** Offers the message in an SMTP transaction of its own. Never rejects. */
  submit(message: Message): Promise<Submission>
  /** Of the server's last certificate, in milliseconds since the epoch; null without TLS, or before the first connection. */
  readonly certificateExpiresAtMs: number | null
  close(): void
}

/** A connection is closed after this idle time, before the server closes it. */
const idleMsMax = 30_000
const messagesMax = 100

/** @param connectionsMax the most idle connections */
export function openSubmitter(server: SmtpServer, connectionsMax: number): Submitter {
  const open = new Set<KeptConnection>()
  const idle: KeptConnection[] = []
  let isClosed = false
  let certificateExpiresAtMs: number | null = null

  async function connect(): Promise<KeptConnection> {
    const kept = { connection: await SmtpConnection.open(server), messages: 0, timer: undefined }
    certificateExpiresAtMs = kept.connection.certificateExpiresAtMs
    if (isClosed) kept.connection[Symbol.dispose]()
    open.add(kept)
    return kept
  }

  function end(kept: KeptConnection, how: 'quit' | 'drop'): void {
    clearTimeout(kept.timer)
    open.delete(kept)
    if (how === 'quit') kept.connection.quit()
    else kept.connection[Symbol.dispose]()
  }

  /** Returns an idle connection that still works, with its transaction reset. */
  async function takeIdle(): Promise<KeptConnection | null> {
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      clearTimeout(kept.timer)
      try {
        if (kept.connection.isUsable && (await kept.connection.command('connect', 'RSET')).code === 250)
          return kept
      } catch {
        // the server closed it before anything was offered
      }
      end(kept, 'drop')
    }
    return null
  }

  function keep(kept: KeptConnection): void {
    kept.messages += 1
    if (isClosed || kept.messages >= messagesMax || idle.length >= connectionsMax) return end(kept, 'quit')
    idle.push(kept)
    kept.timer = setTimeout(() => {
      idle.splice(idle.indexOf(kept), 1)
      end(kept, 'quit')
    }, idleMsMax)
    kept.timer.unref()
  }

  return {
    submit: async message => {
      let kept: KeptConnection | null = null
      try {
        kept = (await takeIdle()) ?? (await connect())
        const submission = await offer(kept.connection, message)
        if (submission.kind === 'refused' && submission.code === 421) end(kept, 'quit')
        else keep(kept)
        return submission
      } catch (error) {
        if (kept !== null) end(kept, 'drop')
        return submissionOf(error)
      }
    },
    get certificateExpiresAtMs() {
      return certificateExpiresAtMs
    },
    close: () => {
      isClosed = true
      for (const kept of open) end(kept, idle.includes(kept) ? 'quit' : 'drop')
    },
  }
}

interface KeptConnection {
  readonly connection: SmtpConnection
  messages: number
  timer: NodeJS.Timeout | undefined
}

async function offer(connection: SmtpConnection, message: Message): Promise<Submission> {
  const isUtf8 = connection.extensions.has('SMTPUTF8')
  if (!isUtf8 && needsUtf8(message)) {
    const reply = '5.6.7 The address is not ASCII, and the mail server does not offer SMTPUTF8.'
    return { kind: 'unsendable', stage: 'rcpt_to', reply }
  }
  let bytes: Buffer
  try {
    bytes = await compileMessage(message, isUtf8)
  } catch (error) {
    return { kind: 'unsendable', stage: 'submit', reply: (error as Error).message }
  }
  return await runTransaction(connection, message.envelope, bytes)
}

/** Only these addresses must be in the message. */
function needsUtf8({ envelope, from, replyTo }: Message): boolean {
  return /[^\0-\x7f]/.test(JSON.stringify([envelope.from, envelope.to, addressIn(from), addressIn(replyTo)]))
}

function addressIn(field: SendMailOptions['replyTo']): unknown {
  if (Array.isArray(field)) return field.map(addressIn)
  return typeof field === 'object' && 'address' in field ? field.address : field
}

/** What an error means for the email. */
function submissionOf(error: unknown): Submission {
  if (!(error instanceof SmtpFailure)) throw error
  const { stage, reply, message, cause } = error
  if (reply !== null) return { kind: 'refused', stage, code: reply.code, reply: reply.text }
  // customers must not see addresses and names of our own machines
  return { kind: 'unreachable', stage, reply: message || wordsFor(stage, cause) }
}

function wordsFor(stage: SmtpFailure['stage'], cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'The name of the mail server could not be resolved.'
  if (stage === 'tls') return 'The connection to the mail server could not be encrypted.'
  if (code === 'ETIMEDOUT') return 'The mail server did not answer in time.'
  return code === undefined ? message : 'The connection to the mail server was refused or broke off.'
}
