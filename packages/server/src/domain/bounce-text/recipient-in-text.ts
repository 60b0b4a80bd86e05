import { isSameRecipient } from '../same-recipient.ts'

/** The index of the line in which a text first names the recipient, or null. */
export function findRecipient(lines: readonly string[], recipient: string): number | null {
  const address = recipient.toLowerCase()
  const encoded = address.replace(/\+/g, '+2b')
  const named = lines.findIndex(line => {
    const folded = line.toLowerCase()
    return hasWord(folded, address) || hasWord(folded, encoded)
  })
  if (named >= 0) return withSplitReply(lines, named)
  const local = address.slice(0, address.lastIndexOf('@'))
  if (local.length < localLengthMin) return null
  // some servers leave out their own domain
  const bare = lines.findIndex(line => {
    const first = /^[\s<"'([]{0,12}(?:[45]\d\d[ -]<?)?([^\s<>"'()[\]:;,]{1,64})/.exec(line.toLowerCase())?.[1]
    return first?.replace(/\.+$/, '') === local
  })
  return bare < 0 ? null : bare
}

const localLengthMin = 3

/** A reply whose code ends the line before belongs to the address. */
function withSplitReply(lines: readonly string[], at: number): number {
  const before = lines[at - 1]?.trimEnd() ?? ''
  return /(?<![\w.-])[45]\d\d(?:[ -]#?[45]\.\d{1,3}\.\d{1,3})?$/.test(before) ? at - 1 : at
}

function hasWord(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
    const isWhole = !/[\w.+-]/.test(line[at - 1] ?? ' ') && !/[\w-]/.test(line[at + word.length] ?? ' ')
    if (isWhole) return true
  }
  return false
}

/** The addresses in a text. */
export function addressesIn(text: string): string[] {
  return (text.match(addressPattern) ?? []).slice(0, 20)
}

const addressPattern = /[^\s<>"'()[\],;:@]{1,64}@(?:[\p{L}\p{N}_-]{1,63}\.){0,8}[\p{L}\p{N}_-]{1,63}/gu

/**
 * The address that the mail was forwarded to, if the text is about another address than the recipient's. Null if it is about
 * the recipient.
 *
 * @param at the line that names the recipient
 * @param near the lines from there to the end of what is read
 * @param notRecipients addresses of the mail system itself
 */
export function forwardTarget(
  lines: readonly string[],
  at: number | null,
  near: readonly string[],
  recipient: string,
  notRecipients: readonly string[],
): { readonly to: string | null } | null {
  const isOther = (address: string): boolean =>
    !isSameRecipient(address, recipient) &&
    !notRecipients.some(one => isSameRecipient(one, address)) &&
    !systemAddress.test(address)
  if (at === null) {
    const [other] = near.flatMap(line => addressAlone(line) ?? []).filter(isOther)
    return other === undefined ? null : { to: other }
  }
  const before = lines.slice(Math.max(0, at - 2), at + 1).join(' ')
  const [lead = ''] = before.toLowerCase().split(recipient.toLowerCase(), 1)
  if (derived.test(lead)) {
    const others = addressesIn(before).filter(isOther)
    return { to: others.at(-1) ?? null }
  }
  const last = near.flatMap(line => named.exec(line)?.[1] ?? addressAlone(line) ?? []).at(-1)
  return last !== undefined && isOther(last) ? { to: last } : null
}

/** An address that begins its line, as in the list of failed recipients. */
function addressAlone(line: string): string | null {
  return (
    /^[\s<("']{0,12}(?:(?:rfc822|smtp|mailto);?:? ?)?([^\s<>"'()[\],;:@]{1,64}@[\p{L}\p{N}_.-]{1,253})[>)"']{0,2}\s*(?::|\.{3}|-|$|\()/iu.exec(
      line,
    )?.[1] ?? null
  )
}

/** The recipient that the receiving server was asked for. */
const named = /\brcpt to: ?<?([^\s<>]{1,64}@[^\s<>:]{1,255})/i

/** Exim and Postfix name the alias after the address that it stands for. */
const derived =
  /\b(?:(?:generated|expanded|derived) (?:from|by)|originally (?:addressed|sent) to)\b[^@]{0,40}$/i

const systemAddress =
  /^(?:mailer-?daemon|postmaster|abuse|support|helpdesk|noreply|no-reply|root|hostmaster|admin)@|^bounces\+/i
