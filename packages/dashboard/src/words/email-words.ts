import type { Email, EmailState, MailReply, RecipientField } from '@posthorn/contract'
import { emailStates } from '@posthorn/contract/plain'

export const emailStateWords: Readonly<Record<EmailState, string>> = {
  queued: 'Queued',
  handed_over: 'Handed over',
  delivered: 'Delivered',
  bounced: 'Bounced',
  failed: 'Failed',
}

/** The states in order of urgency. */
const worstFirst: readonly EmailState[] = ['bounced', 'failed', 'queued', 'handed_over', 'delivered']

/** The most urgent state among the recipients, and how many share it: `1 of 3`, or null for all. */
export function worstState(states: Email['states']): { state: EmailState; share: string | null } {
  const all = emailStates.reduce((sum, state) => sum + states[state], 0)
  const state = worstFirst.find(candidate => states[candidate] > 0) ?? 'queued'
  return { state, share: states[state] === all ? null : `${states[state]} of ${all}` }
}

export const recipientFieldWords: Readonly<Record<RecipientField, string>> = {
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
}

/** The SMTP command that got a reply, to follow the server's name. */
const commandWords: Readonly<Record<string, string>> = {
  CONNECT: 'on connecting',
  EHLO: 'at the greeting (EHLO)',
  STARTTLS: 'while the connection was secured (STARTTLS)',
  AUTH: 'at the sign-in (AUTH)',
  'MAIL FROM': 'when the sender was named (MAIL FROM)',
  'RCPT TO': 'when the recipient was named (RCPT TO)',
  DATA: 'before the message was sent (DATA)',
  '.': 'after the message was sent',
}

/** How far an email came before it failed, if no reply tells. */
const stageWords: Readonly<Record<string, string>> = {
  submit: 'before it was handed over',
  signing: 'while it was signed',
  queue: 'while it waited in the queue',
  dns: 'while the recipient’s mail server was looked up',
  connect: 'on connecting',
  tls: 'while the connection was secured',
  ehlo: 'at the greeting',
  auth: 'at the sign-in',
  mail_from: 'when the sender was named',
  rcpt_to: 'when the recipient was named',
  data: 'before the message was sent',
  end_of_data: 'after the message was sent',
  dsn: 'in a report that came later',
}

/**
 * Who gave a reply, and when: `by mx.example.org [192.0.2.1] when the recipient was named (RCPT TO)`.
 * @param isOurs the reply without a server name came from our own mail server
 */
export function replySource({ command, remote_mta: remote }: MailReply, isOurs: boolean): string | null {
  const when = command === undefined ? undefined : (commandWords[command] ?? `at ${command}`)
  const ours = isOurs ? 'by our mail server' : undefined
  const who = remote === undefined ? ours : `by ${remoteName(remote)}`
  const words = [who, when].filter(part => part !== undefined)
  return words.length === 0 ? null : words.join(' ')
}

function remoteName({ name, ip }: NonNullable<MailReply['remote_mta']>): string {
  return ip === undefined || ip === name ? name : `${name} [${ip}]`
}

/** Where a failure happened, if it is one of the stages above. */
export function stageOf(stage: unknown): string | null {
  return typeof stage === 'string' ? (stageWords[stage] ?? null) : null
}

/** A reply as the mail server gave it: `550 5.1.1 No such user`. */
export function replyText({ code, enhanced_code: enhanced, message }: MailReply): string {
  // the text may repeat the codes
  const codes = [code, enhanced].filter(part => part !== null).join(' ')
  const rest = message.startsWith(codes) ? message.slice(codes.length).trim() : message
  return [codes, rest].filter(part => part !== '').join(' ')
}
