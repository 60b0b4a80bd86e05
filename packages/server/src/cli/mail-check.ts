import type { SystemHealth } from '@posthorn/contract'
import type { Check } from './check.ts'

/** A mail server that is restarted takes mail again before. */
const waitSecondsMax = 900

/** One line if the mail server does not take the emails that wait for it, otherwise none. */
export function mailCheck({ mail }: Pick<SystemHealth, 'mail'>): Check[] {
  if (mail.message === null) return []
  const check = { name: 'Mail', found: mail.message.replace(/\.$/, '') }
  if (mail.oldest_seconds <= waitSecondsMax) return [{ ...check, state: 'note' }]
  return [{ ...check, state: 'broken', advice: 'Check POSTHORN_SMTP_URL and the log of the mail server' }]
}
