import { attemptsMax, emailId } from '@posthorn/contract'
import { cutText } from '../domain/cut-text.ts'
import type { ForeignEmail, ReportedOutcome } from '../sources/source-report.ts'

/** The ids by which a provider names an email; empty if it does not have one. */
export interface ProviderIds {
  /** The id that the sender gave it, as `posthorn_email_id`. */
  readonly named: string
  /** The Message-ID. That of an email that Posthorn sent contains Posthorn's id. */
  readonly messageId: string
  /** The provider's own id, if its sender knows that instead of the Message-ID. */
  readonly providerId?: string
}

/** The email that a provider reports about; null if no id can be an `email_id`. */
export function providerEmail(
  accountId: string,
  { named, messageId, providerId = '' }: ProviderIds,
): ForeignEmail | null {
  const bare = messageId.trim().replace(/^<|>$/g, '')
  const own = /^(em_[0-7][0-9a-hjkmnp-tv-z]{25})@/.exec(bare)?.[1]
  const id = emailId.safeParse(named || own || providerId || bare)
  return id.success ? { accountId, emailId: id.data, messageId: cutText(bare, 998) || undefined } : null
}

/** The reply of the receiving server, from the parts that a provider shows. Codes that are not SMTP's are left out. */
export function replyOf({
  code = '',
  enhancedCode = '',
  text,
}: {
  readonly code?: string
  readonly enhancedCode?: string
  readonly text: string
}): ReportedOutcome['reply'] {
  return {
    ...(/^[2-5]\d\d$/.test(code) && { code: Number(code) }),
    ...(/^[245]\.\d{1,3}\.\d{1,3}$/.test(enhancedCode) && { enhanced_code: enhancedCode }),
    text: cutText(text, replyLengthMax),
  }
}

const replyLengthMax = 8_192

/** The server that replied; undefined if the provider names none. */
export function remoteMta(name: string, ip = ''): ReportedOutcome['remote_mta'] {
  const bare = cutText(name.trim().replace(/\.$/, ''), 255)
  if (bare === '') return undefined
  return { name: bare, ...(/^[0-9a-fA-F.:]{2,45}$/.test(ip) && { ip }) }
}

/** How many times the provider tried; undefined if it does not say so. */
export function attemptsOf(text: string): number | undefined {
  const attempts = Number(text)
  return Number.isInteger(attempts) && attempts >= 1 && attempts <= attemptsMax ? attempts : undefined
}

/** A time in RFC 3339 or in seconds since the epoch; undefined if it is neither. */
export function momentOf(text: string): string | undefined {
  const atMs = /^\d{1,10}(?:\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text)
  return atMs > 0 && atMs < maxMs ? new Date(atMs).toISOString() : undefined
}

const maxMs = 10_000_000_000_000
