import { createHash, sign } from 'node:crypto'
import type { SigningDomain } from '../domains/signing-domain.ts'

/** RFC 8058 requires both List-Unsubscribe fields to be signed. Fields that the message lacks are left out. */
const signedOnce = [
  'Reply-To',
  'Date',
  'Message-ID',
  'Cc',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'In-Reply-To',
  'References',
  'List-Id',
]

/** Named once more than the message has them, so that the signature breaks if somebody adds one (RFC 6376 §8.15). */
const oversigned = ['From', 'To', 'Subject', 'List-Unsubscribe', 'List-Unsubscribe-Post']

/**
 * The DKIM-Signature field of a message, with its line break (RFC 6376, relaxed/relaxed, rsa-sha256).
 * @param message with CRLF line ends
 * @throws Error if the key is unusable
 */
export function dkimSignature(
  message: Buffer,
  { domainName, selector, privateKeyPem }: SigningDomain,
): string {
  // latin1 keeps every byte
  const text = message.toString('latin1')
  const split = text.indexOf('\r\n\r\n')
  const fields = fieldsByName(text.slice(0, split))
  const names = [...oversigned, ...signedOnce].flatMap(name => {
    const count = fields.get(name.toLowerCase())?.length ?? 0
    return Array.from({ length: oversigned.includes(name) ? count + 1 : count }, () => name)
  })
  const bodyHash = createHash('sha256')
    .update(relaxedBody(text.slice(split + 4)), 'latin1')
    .digest('base64')
  const unsigned = [
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domainName};`,
    `s=${selector}; q=dns/txt; bh=${bodyHash};`,
    `h=${names.join(':').replaceAll(/.{50,70}:/g, '$&\r\n ')};`,
    'b=',
  ].join('\r\n ')
  const data = [...signedFields(names, fields), relaxedField(unsigned)].join('\r\n')
  const signature = sign('sha256', Buffer.from(data, 'latin1'), privateKeyPem).toString('base64')
  return `${unsigned}${signature.replaceAll(/.{72}(?=.)/g, '$&\r\n ')}\r\n`
}

function fieldsByName(header: string): Map<string, string[]> {
  const all = new Map<string, string[]>()
  for (const field of header.split(/\r\n(?![ \t])/)) {
    const name = field.slice(0, field.indexOf(':')).toLowerCase()
    all.set(name, [...(all.get(name) ?? []), field])
  }
  return all
}

/** The last field of a name first; a name without a field left adds nothing. */
function signedFields(names: readonly string[], fields: Map<string, string[]>): string[] {
  return names.flatMap(name => {
    const field = fields.get(name.toLowerCase())?.pop()
    return field === undefined ? [] : [relaxedField(field)]
  })
}

function relaxedField(field: string): string {
  const colon = field.indexOf(':')
  const value = field
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replaceAll(/[ \t]+/g, ' ')
  return `${field.slice(0, colon).toLowerCase()}:${value.replace(/^ | $/g, '')}`
}

/** Without empty lines at the end; an empty body stays empty. */
function relaxedBody(body: string): string {
  const lines = body.split('\r\n').map(line => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''))
  while (lines.at(-1) === '') lines.pop()
  return lines.map(line => `${line}\r\n`).join('')
}
