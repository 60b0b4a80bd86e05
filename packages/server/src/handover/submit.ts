import type { SendMailOptions, SMTPPoolOptions } from 'nodemailer'
import { createTransport } from 'nodemailer'
import type { Stage } from '../domain/classify/stage.ts'
import type { Submission } from '../domain/decide-handover.ts'
import type { SmtpServer } from '../domain/smtp-url.ts'

/** A message and its envelope, as the mail server is to have them. */
export type Message = SendMailOptions & { readonly envelope: { readonly from: string; readonly to: string } }

/** The mail server that takes our mail. */
export interface Submitter {
  /** Offers it in a transaction of its own. Never rejects. */
  submit(message: Message): Promise<Submission>
  close(): void
}

/** How long a server may be silent before a connection to it is given up. */
const connectMsMax = 15_000
const silentMsMax = 60_000

export function openSubmitter(server: SmtpServer, connectionsMax: number): Submitter {
  const options: SMTPPoolOptions & { pool: true } = {
    pool: true,
    maxConnections: connectionsMax,
    // what a broken connection leaves open is for the hand-over to repeat, which remembers it
    maxRequeues: 0,
    host: server.host,
    port: server.port,
    secure: server.isTls,
    requireTLS: server.mustStartTls,
    connectionTimeout: connectMsMax,
    greetingTimeout: connectMsMax,
    dnsTimeout: connectMsMax,
    socketTimeout: silentMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(server.anyCertificate && { tls: { rejectUnauthorized: false } }),
    ...(server.login !== null && { auth: { user: server.login.user, pass: server.login.password } }),
  }
  const transport = createTransport(options)
  return {
    submit: async message => {
      try {
        return { kind: 'taken', reply: (await transport.sendMail(message)).response }
      } catch (error) {
        return submissionOf(error as SubmissionError)
      }
    },
    close: () => transport.close(),
  }
}

/** What nodemailer's errors carry. */
interface SubmissionError extends Error {
  code?: string
  originalCode?: string
  command?: string
  responseCode?: number
  response?: string
}

/** What an error of the dialogue says of the email. */
function submissionOf(error: SubmissionError): Submission {
  const stage = stageOf(error)
  const { responseCode: code, response } = error
  if (code !== undefined && response !== undefined && stage !== 'submit') {
    return { kind: 'refused', stage, code, reply: response }
  }
  if (code === undefined && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE')) {
    return { kind: 'unsendable', stage, reply: error.message }
  }
  // addresses and names of our own machines are nobody else's business
  return {
    kind: 'unreachable',
    stage,
    reply: words[error.code ?? ''] ?? 'The mail server could not take the email.',
  }
}

function stageOf({ code, originalCode = '', command = '' }: SubmissionError): Stage {
  if (command === 'MAIL FROM') return 'mail_from'
  if (command === 'RCPT TO') return 'rcpt_to'
  if (command === 'DATA') return code === 'EMESSAGE' ? 'end_of_data' : 'data'
  if (command === 'EHLO' || command === 'HELO') return 'ehlo'
  if (command === 'STARTTLS' || code === 'ETLS' || certificateFault.test(originalCode)) return 'tls'
  if (command.startsWith('AUTH') || code === 'EAUTH') return 'auth'
  return code === 'EENVELOPE' || code === 'EMESSAGE' ? 'submit' : 'connect'
}

/** How Node names what is wrong with a certificate or with the handshake. */
const certificateFault = /CERT|SELF_SIGNED|TLS|SSL/

const words: Record<string, string | undefined> = {
  ECONNECTION: 'The connection to the mail server was refused or broke off.',
  ESOCKET: 'The connection to the mail server was refused or broke off.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  EDNS: 'The name of the mail server could not be resolved.',
  ETLS: 'The connection to the mail server could not be encrypted.',
  EAUTH: 'The mail server did not accept the login.',
}
