import { isAscii } from 'node:buffer'
import type { Submission } from '../domain/decide-handover.ts'
import type { Stage } from '../domain/classify/stage.ts'
import { dotStuffed } from './dot-stuffed.ts'
import type { SmtpConnection } from './smtp-connection.ts'
import type { SmtpReply } from './smtp-replies.ts'

/**
 * Offers a message to one recipient. The first command that is refused decides and ends the transaction.
 *
 * @param message as it is to arrive, with CRLF
 * @throws SmtpFailure when the server does not answer
 */
export async function runTransaction(
  connection: SmtpConnection,
  { from, to }: { from: string; to: string },
  message: Buffer,
): Promise<Submission> {
  const sizeMax = Number(connection.extensions.get('SIZE') || 0)
  if (sizeMax > 0 && message.length > sizeMax) {
    const reply = `5.3.4 The message has ${message.length} bytes, and the mail server takes ${sizeMax}.`
    return { kind: 'unsendable', stage: 'mail_from', reply }
  }
  const opened = await connection.command(
    'mail_from',
    `MAIL FROM:<${from}>${parameters(connection, from + to, message)}`,
  )
  if (!isPositive(opened)) return refused('mail_from', opened)
  const named = await connection.command('rcpt_to', `RCPT TO:<${to}>`)
  if (!isPositive(named)) return refused('rcpt_to', named)
  const ready = await connection.command('data', 'DATA')
  if (ready.code !== 354) return refused('data', ready)
  const taken = await connection.command('end_of_data', dotStuffed(message))
  return isPositive(taken) ? { kind: 'taken', reply: taken.text } : refused('end_of_data', taken)
}

function parameters({ extensions }: SmtpConnection, addresses: string, message: Buffer): string {
  const header = message.subarray(0, Math.max(0, message.indexOf('\r\n\r\n')))
  const isUtf8 = !isAscii(header) || !isAscii(Buffer.from(addresses))
  return [
    extensions.has('SMTPUTF8') && isUtf8 ? ' SMTPUTF8' : '',
    extensions.has('8BITMIME') && !isAscii(message) ? ' BODY=8BITMIME' : '',
    extensions.has('SIZE') ? ` SIZE=${message.length}` : '',
  ].join('')
}

function isPositive({ code }: SmtpReply): boolean {
  return code >= 200 && code < 300
}

function refused(stage: Stage, { code, text }: SmtpReply): Submission {
  // an answer that RFC 5321 does not know at this place takes nothing, and may do so later
  return { kind: 'refused', stage, code: code >= 400 ? code : 451, reply: text }
}
