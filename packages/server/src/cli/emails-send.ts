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
    'Stores the email and prints its id. The service then passes it to the mail server (POSTHORN_SMTP_URL), as a',
    'separate copy for each recipient, and sends events about the outcome. Needs an API key with the scope send.',
  ].join('\n'),
  options: {
    from: { value: 'address', meaning: 'Such as "Acme <news@example.com>".' },
    to: { value: 'address', meaning: 'A recipient.', multiple: true },
    cc: { value: 'address', meaning: 'A Cc recipient, visible to all recipients.', multiple: true },
    bcc: { value: 'address', meaning: 'A Bcc recipient, hidden from the others.', multiple: true },
    subject: { value: 'text', meaning: 'The subject.' },
    text: { value: 'text', meaning: 'The plain text body.' },
    'text-file': { value: 'file', meaning: 'A file with the plain text body; - reads standard input.' },
    'html-file': { value: 'file', meaning: 'A file with the HTML body; - reads standard input.' },
    attach: { value: 'file', meaning: 'A file to attach.', multiple: true },
    'reply-to': { value: 'address', meaning: 'An address for replies.', multiple: true },
    header: { value: 'text', meaning: 'An extra header field, as "name: value".', multiple: true },
    tag: { value: 'name=value', meaning: 'Included in every event about the email.', multiple: true },
    unsubscribe: { meaning: 'Add a one-click unsubscribe link for all lists.' },
    list: { value: 'name', meaning: 'Add a one-click unsubscribe link for this list only.' },
    'idempotency-key': {
      value: 'key',
      meaning: 'Requests with the same key within 24 hours send one email.',
    },
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
    return {
      exitCode: 0,
      json: accepted,
      text: `Stored ${accepted.email_id}. The service now passes it to the mail server.`,
    }
  },
}

function emailOf(input: CommandInput) {
  const text = input.text('text') ?? contentOf(input, 'text-file')
  const html = contentOf(input, 'html-file')
  if (text === undefined && html === undefined) {
    throw new UsageError('add --text, --text-file or --html-file')
  }
  const to = input.all('to')
  if (to.length === 0) throw new UsageError('--to is missing')
  const replyTo = input.all('reply-to')
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
    ...(replyTo.length > 0 && { reply_to: replyTo }),
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
    throw new CommandError('file_unreadable', `cannot read ${path}: ${reason}`, { cause: error })
  }
}
