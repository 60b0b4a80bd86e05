import { isAscii } from 'node:buffer'
import type { Submission } from '../domain/decide-handover.ts'
import type { Stage } from '../domain/classify/stage.ts'
import { dotStuffed } from './dot-stuffed.ts'
import type { SmtpConnection } from './smtp-connection.ts'
import type { SmtpReply } from './smtp-replies.ts'

/**
 * Offers a message to one recipient. The first command that the server refuses ends the transaction.
 * @param message with CRLF line ends
 * @throws SmtpFailure if the server does not answer
 */
export async function runTransaction(
  connection: SmtpConnection,
  { from, to }: { from: string; to: string },
  message: Buffer,
): Promise<Submission> {
  const sizeMax = Number(connection.extensions.get('SIZE') || 0)
  if (sizeMax > 0 && message.length > sizeMax) {
    const reply = `5.3.4 The message has ${message.length} bytes, and the mail server accepts at most ${sizeMax}.`
    return { kind: 'unsendable', stage: 'mail_from', reply }
  }
  const sender = await connection.command(
    'mail_from',
    `MAIL FROM:<${from}>${parameters(connection, from + to, message)}`,
  )
  if (!isPositive(sender)) return refused('mail_from', sender)
  const recipient = await connection.command('rcpt_to', `RCPT TO:<${to}>`)
  if (!isPositive(recipient)) return refused('rcpt_to', recipient)
  const data = await connection.command('data', 'DATA')
  if (data.code !== 354) return refused('data', data)
  const end = await connection.command('end_of_data', dotStuffed(message))
  return isPositive(end) ? { kind: 'accepted', reply: end.text } : refused('end_of_data', end)
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
  // a reply that RFC 5321 does not allow here counts as a temporary refusal
  return { kind: 'refused', stage, code: code >= 400 ? code : 451, reply: text }
}
