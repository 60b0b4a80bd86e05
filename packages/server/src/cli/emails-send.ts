import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from './command.ts'
import { CommandError, UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { keyValue } from './key-value.ts'
import { serviceClient } from './service-client.ts'

export const emailsSend: Command = {
  name: 'emails send',
  summary: 'Send an email',
  about: [
    'Stores the email and prints its id; the service hands it to the mail server (POSTHORN_SMTP_URL). What becomes of it',
    'are events. Each recipient gets a copy of their own. Needs an API key with the scope send.',
  ].join('\n'),
  options: {
    from: { value: 'address', meaning: 'Such as "Acme <news@example.com>".' },
    to: { value: 'address', meaning: 'A recipient.', multiple: true },
    cc: { value: 'address', meaning: 'A recipient whom all others see.', multiple: true },
    bcc: { value: 'address', meaning: 'A recipient whom nobody else sees.', multiple: true },
    subject: { value: 'text', meaning: 'The subject.' },
    text: { value: 'text', meaning: 'The email as plain text.' },
    'text-file': { value: 'file', meaning: 'The same from a file; - reads standard input.' },
    'html-file': { value: 'file', meaning: 'The email as HTML; - reads standard input.' },
    attach: { value: 'file', meaning: 'A file to attach.', multiple: true },
    'reply-to': { value: 'address', meaning: 'Who gets the answers.' },
    header: { value: 'text', meaning: 'Another header field, as "name: value".', multiple: true },
    tag: { value: 'name=value', meaning: 'Repeated in every event about the email.', multiple: true },
    unsubscribe: { meaning: 'Let recipients unsubscribe from all such mail with one click.' },
    list: { value: 'name', meaning: 'Let them unsubscribe from this list only.' },
    'idempotency-key': { value: 'key', meaning: 'The same key within 24 hours sends the email once.' },
    ...customerOptions,
  },
  examples: [
    'posthorn emails send --from news@example.com --to ann@example.org --subject Hello --text "Good morning"',
    'posthorn emails send --from news@example.com --to ann@example.org --subject News --html-file news.html --list news',
    'posthorn emails send --from a@example.com --to b@example.org --subject Bill --text-file - --attach bill.pdf < note.txt',
  ],
  async run(input) {
    const key = input.text('idempotency-key')
    const how = key === undefined ? {} : { idempotencyKey: key }
    const accepted = await serviceClient(customerConnection(input)).createEmail({ body: emailOf(input) }, how)
    return { exitCode: 0, json: accepted, text: `Stored ${accepted.email_id}; the hand-over follows.` }
  },
}

function emailOf(input: CommandInput) {
  const text = input.text('text') ?? contentOf(input, 'text-file')
  const html = contentOf(input, 'html-file')
  if (text === undefined && html === undefined) {
    throw new UsageError('--text, --text-file or --html-file is missing')
  }
  const to = input.all('to')
  if (to.length === 0) throw new UsageError('--to is missing')
  const replyTo = input.text('reply-to')
  const list = input.text('list')
  const attachments = input.all('attach').map(path => ({
    filename: basename(path),
    content: fileOf(path).toString('base64'),
  }))
  const headers = input.all('header').map(one => keyValue('--header', one, ':'))
  const tags = input.all('tag').map(one => keyValue('--tag', one, '='))
  return {
    from: input.required('from'),
    to,
    subject: input.required('subject'),
    ...(input.all('cc').length > 0 && { cc: input.all('cc') }),
    ...(input.all('bcc').length > 0 && { bcc: input.all('bcc') }),
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(attachments.length > 0 && { attachments }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(tags.length > 0 && { tags: Object.fromEntries(tags) }),
    ...((input.flag('unsubscribe') || list !== undefined) && {
      unsubscribe: list === undefined ? {} : { list },
    }),
  }
}

function contentOf(input: CommandInput, option: string): string | undefined {
  const path = input.text(option)
  return path === undefined ? undefined : fileOf(path).toString()
}

function fileOf(path: string): Buffer {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError('file_unreadable', `${path} cannot be read: ${reason}`, { cause: error })
  }
}
