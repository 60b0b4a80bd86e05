import { createHash, createPublicKey, verify } from 'node:crypto'

/**
 * Verifies the DKIM signature of a message (RFC 6376, relaxed/relaxed, rsa-sha256).
 *
 * @param publicKey SubjectPublicKeyInfo in base64, as published in DNS
 * @returns the tags of the signature; null if it does not verify
 */
export function verifyDkim(raw: Buffer, publicKey: string): Record<string, string> | null {
  const text = raw.toString('latin1')
  const split = text.indexOf('\r\n\r\n')
  const fields = text.slice(0, split).split(/\r\n(?![ \t])/)
  const signature = fields.find(field => /^dkim-signature:/i.test(field))
  if (signature === undefined) return null
  const tags = Object.fromEntries(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map(tag => tag.replace(/\s+/g, ''))
      .filter(tag => tag !== '')
      .map(tag => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
  ) as Record<string, string>
  const bodyHash = createHash('sha256')
    .update(relaxedBody(text.slice(split + 4)), 'latin1')
    .digest('base64')
  if (bodyHash !== tags['bh']) return null

  const left = [...fields]
  const signed = (tags['h'] ?? '').split(':').flatMap(name => {
    const at = left.findLastIndex(field => field.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    return at < 0 ? [] : left.splice(at, 1).map(relaxedField)
  })
  const own = relaxedField(signature.replace(/(;\s*b=)[^;]*/, '$1'))
  const data = Buffer.from([...signed.map(field => `${field}\r\n`), own].join(''), 'latin1')
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  return verify('sha256', data, key, Buffer.from(tags['b'] ?? '', 'base64')) ? tags : null
}

function relaxedBody(body: string): string {
  const lines = body.replace(/[ \t]+(?=\r\n)/g, '').replace(/[ \t]+/g, ' ')
  const trimmed = lines.replace(/(\r\n)*$/, '')
  return trimmed === '' ? '' : `${trimmed}\r\n`
}

function relaxedField(field: string): string {
  const colon = field.indexOf(':')
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
  return `${field.slice(0, colon).toLowerCase().trim()}:${value.trim()}`
}
