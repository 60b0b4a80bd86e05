import * as z from 'zod'

/** A parsed address of a header field. */
export interface Mailbox {
  /** Null for a bare address. */
  readonly name: string | null
  readonly address: string
}

/** `ann@example.org`, `Ann <ann@example.org>` or `"Ann, Sales" <ann@example.org>`. */
export const mailbox = z
  .string()
  .min(3)
  .max(998)
  .transform((text, context): Mailbox => {
    const parsed = parseMailbox(text)
    if (typeof parsed !== 'string') return parsed
    context.addIssue({ code: 'custom', message: parsed })
    return z.NEVER
  })
  .meta({ examples: ['Ann <ann@example.org>'] })

/** @returns the mailbox, or a message that says what is wrong */
function parseMailbox(text: string): Mailbox | string {
  if (/\p{Cc}/u.test(text)) return 'must not contain control characters'
  const angled = /^(?<name>[^<>]*)<(?<address>[^<>]*)>$/.exec(text.trim())?.groups
  const address = angled?.['address'] ?? text.trim()
  const wrong = wrongAddress(address)
  if (wrong !== null) return wrong
  const given = angled?.['name']?.trim() ?? ''
  if (given === '') return { name: null, address }
  const quoted = /^"(?<inner>(?:[^"\\]|\\.)*)"$/.exec(given)?.groups?.['inner']
  if (quoted !== undefined) return { name: quoted.replace(/\\(.)/g, '$1'), address }
  // without quotes, these characters would split it into several addresses
  if (/["@,:;\\]/.test(given))
    return 'must have its display name in double quotes: "Ann, Sales" <ann@example.org>'
  return { name: given, address }
}

/** An address that mail can be sent to. */
export const sendableAddress = z
  .string()
  .min(3)
  .max(320)
  .superRefine((text, context) => {
    const wrong = wrongAddress(text)
    if (wrong !== null) context.addIssue({ code: 'custom', message: wrong })
  })

/** Allows dots anywhere, because some carriers issue addresses such as `a..b.@example.jp`. SMTP needs them quoted. */
const bareForm = /^(?!\.+$)[^\s\p{Cc}\p{Cs}"(),:;<>@[\\\]]+$/u
/** As in RFC 5321, but without angle brackets, because many programs end the address there. */
const quotedForm = /^"(?:[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}"\\<>]|\\[\x20-;=?-~])+"$/u
const domainForm =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]{0,61}[\p{L}\p{N}\p{M}_])?(?:\.(?!$)|$))+$/u

function wrongAddress(address: string): string | null {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, Math.max(at, 0))
  const domain = address.slice(at + 1)
  const isLocal = bareForm.test(local) || quotedForm.test(local)
  if (at < 1 || !isLocal || !domainForm.test(domain)) return 'must be an email address'
  const quotes = !local.startsWith('"') && /^\.|\.\.|\.$/.test(local) ? 2 : 0
  if (new TextEncoder().encode(local).length + quotes > 64) return 'must have at most 64 bytes before the @'
  if (/[^\0-\x7f]/.test(domain) && !URL.canParse(`http://${domain}`))
    return 'must have a valid domain name after the @'
  return null
}
