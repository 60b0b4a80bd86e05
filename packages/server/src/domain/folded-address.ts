import { normalEmailAddress } from './email-address.ts'

/**
 * What addresses have in common that reach the same mailbox as far as anybody can tell: upper and lower case, the dot
 * that may end a domain, needless quotes and how an accent is composed. A host might in theory tell `Ann` from `ann`;
 * in practice none does, and who asked for no more mail must not get it because of a capital letter.
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

/** The local part that a quoted one stands for; any other as it is. */
export function unquoted(local: string): string {
  if (local.length < 2 || !local.startsWith('"') || !local.endsWith('"')) return local
  return local.slice(1, -1).replaceAll(/\\(.)/gs, '$1')
}
