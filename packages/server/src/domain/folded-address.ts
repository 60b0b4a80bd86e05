import { normalEmailAddress } from './email-address.ts'

/**
 * Folds an address, so that spellings of the same mailbox become equal. It ignores case, a trailing dot, unnecessary quotes
 * and how accents are composed. In theory `Ann` and `ann` may be two mailboxes, but a suppression must not fail because of a
 * capital letter.
 *
 * @example
 * foldedAddress('"Ann"@Example.ORG.') // 'ann@example.org'
 */
export function foldedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const local = unquoted(address.slice(0, at))
  const domain = address.slice(at + 1).replace(/\.$/, '')
  return normalEmailAddress(`${local}@${domain}`).normalize('NFC').toLowerCase()
}

/** Removes the quotes and escapes of a quoted local part. */
export function unquoted(local: string): string {
  if (local.length < 2 || !local.startsWith('"') || !local.endsWith('"')) return local
  return local.slice(1, -1).replaceAll(/\\(.)/gs, '$1')
}
