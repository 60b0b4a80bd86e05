import type { Event, EventType, MailReply } from '@posthorn/contract'
import { stageOf } from './email-words.ts'
import { eventReason } from './event-reason.ts'

/** What happened to the email, in a few words: `No such mailbox`. */
export function eventHeadline(event: Pick<Event, 'type' | 'data'>): string {
  return eventReason(event) ?? withoutReason[event.type]
}

const withoutReason: Readonly<Record<EventType, string>> = {
  'email.delivered': 'The recipient’s mail server accepted it.',
  'email.bounced': 'The address permanently refuses mail.',
  'email.failed': 'The email was not delivered.',
  'email.unsubscribed': 'The recipient wants no more of these emails.',
  'email.complained': 'The recipient reported the email as spam.',
  'email.deferred': 'The email was not delivered yet.',
  'email.suppressed': 'The address is suppressed, so the email was not sent.',
}

/** Why an email bounced, failed or was deferred, in a sentence or two; null if no cause is known. */
export function eventCause({ data }: Pick<Event, 'data'>): string | null {
  const cause = data['failure'] ?? data['bounce'] ?? data['deferral']
  const message = textOf(cause, 'message')
  if (message === null) return null
  const where = stageOf(textOf(cause, 'stage'))
  return where === null ? message : `${message} It failed ${where}.`
}

/** What the mail server of the recipient answered; null if the event has no answer. */
export function eventReply({ data }: Pick<Event, 'data'>): MailReply | null {
  const reply = data['smtp_response']
  const message = textOf(reply, 'message')
  if (message === null) return null
  const command = textOf(reply, 'command')
  const name = textOf(data['remote_mta'], 'name')
  const ip = textOf(data['remote_mta'], 'ip')
  const code = part(reply, 'code')
  return {
    code: typeof code === 'number' ? code : null,
    enhanced_code: textOf(reply, 'enhanced_code'),
    message,
    ...(command !== null && { command }),
    ...(name !== null && { remote_mta: { name, ...(ip !== null && { ip }) } }),
  }
}

function textOf(whole: unknown, name: string): string | null {
  const text = part(whole, name)
  return typeof text === 'string' && text !== '' ? text : null
}

function part(whole: unknown, name: string): unknown {
  return typeof whole === 'object' && whole !== null ? Reflect.get(whole, name) : undefined
}
