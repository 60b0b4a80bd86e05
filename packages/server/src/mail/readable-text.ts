import type { Email } from 'postal-mime'
import { bytesOf } from './mail-parser.ts'

const textLengthMax = 65_536
const attachmentsMax = 20

/**
 * The text of a mail for people: its text parts, or its HTML without tags, or the raw body if the parts cannot be read.
 * Attached status fields belong to it, and other attachments do not, because they may be the returned mail.
 */
export function readableText(mail: Uint8Array, email: Email | null): string {
  const parts = (email?.attachments ?? [])
    .slice(0, attachmentsMax)
    .filter(({ mimeType }) => /^text\/plain$|delivery-status$/.test(mimeType))
    .map(part => new TextDecoder().decode(bytesOf(part).subarray(0, textLengthMax)))
    .filter(part => statusField.test(part))
  const text = email?.text?.trim() || withoutTags(email?.html ?? '')
  const found = [text, ...parts].join('\n\n').trim()
  return (found === '' ? rawBody(mail) : found).slice(0, textLengthMax)
}

const statusField = /^[ \t]{0,12}(?:final-recipient|diagnostic-code|reporting-mta) ?:/im

function withoutTags(html: string): string {
  return withoutStyles(html.slice(0, textLengthMax))
    .replace(/<(?:br|\/?(?:p|div|tr|li|h\d|table|hr|pre))\b[^<>]{0,512}>/gi, '\n')
    .replace(/<[^<>]{0,2048}>/g, ' ')
    .replace(/&(?:lt|gt|amp|quot|nbsp|#\d{1,6});/g, decoded)
    .trim()
}

function withoutStyles(html: string): string {
  const [first = '', ...others] = html.split(/<(?:style|script)\b/i)
  return [first, ...others.map(other => other.slice(other.search(/<\/(?:style|script)\b|$/i)))].join('')
}

function decoded(entity: string): string {
  const code = Number(entity.slice(2, -1))
  if (entity[1] === '#') return code <= 0x10ffff ? String.fromCodePoint(code) : ' '
  return entities.get(entity) ?? ' '
}

const entities = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
])

function rawBody(mail: Uint8Array): string {
  const text = new TextDecoder().decode(mail.subarray(0, textLengthMax * 2))
  const end = /\r?\n\r?\n/.exec(text)
  return end === null ? '' : text.slice(end.index).replace(/=\r?\n/g, '')
}
