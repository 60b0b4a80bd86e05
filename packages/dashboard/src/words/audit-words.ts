import type { AuditAction, AuditEntry } from '@posthorn/contract'

/** What somebody did, after their name: `made the endpoint hooks.acme.test`. */
export function auditWords(entry: AuditEntry): string {
  // a page that was opened before an upgrade meets actions of which it has not heard
  return Object.hasOwn(phrases, entry.action)
    ? phrases[entry.action](entry)
    : `made a change: ${entry.action}`
}

/** Each action of the audit log; one that is new does not compile before it has its words. */
const phrases: Record<AuditAction, (entry: AuditEntry) => string> = {
  'account.created': entry => `opened the account ${name(entry)}`,
  'account.updated': entry => `changed the account ${name(entry)}`,
  'account.deleted': () => 'deleted the account',
  'api_key.created': entry => `made the API key “${name(entry)}”`,
  'api_key.revoked': entry => `revoked the API key “${name(entry)}”`,
  'webhook.created': entry => `made the endpoint ${host(entry)}`,
  'webhook.updated': entry => `${statusChange(entry) ?? 'changed the endpoint'} ${host(entry)}`,
  'webhook.loopback_permitted': entry => `moved the endpoint to this machine: ${host(entry)}`,
  'webhook.deleted': entry => `deleted the endpoint ${host(entry)}`,
  'webhook.disabled': entry =>
    `stopped sending to ${host(entry)}: ${text(entry, 'disabled_reason') === 'gone' ? 'it answered 410 (gone)' : 'nothing succeeded for too long'}`,
  'signing_key.staged': entry => `made the replacement secret ${secret(entry)}`,
  'signing_key.promoted': entry => `made ${secret(entry)} primary; the secret before it was erased`,
  'signing_key.retired': entry => `discarded the replacement secret ${secret(entry)}`,
  'replay.created': entry => `began to send ${deliveries(entry)} again`,
  'replay.cancelled': () => 'stopped a replay',
  'notice_webhook.created': entry => `let notices go to ${host(entry)}`,
  'notice_webhook.updated': entry => `let notices go to ${host(entry)} from then on`,
  'notice_webhook.deleted': entry => `stopped notices to ${host(entry)}`,
  'notice_email.set': entry => `let notices be mailed to ${text(entry, 'address')}`,
  'notice_email.deleted': () => 'stopped notices by mail',
  'portal_session.created': entry => `made a portal link${named(entry)}`,
  'portal_session.revoked': entry => `revoked a portal link${named(entry)}`,
  'operator.signed_in': () => 'signed in',
  'clock.confirmed': () => 'confirmed the database’s clock',
  'suppression.created': () => 'stopped mail to an address',
  'suppression.lifted': () => 'allowed mail to an address again',
  'suppression.imported': () => 'imported a list of suppressions',
  'erasure.created': () => 'had a person’s address erased',
  'domain.created': entry => `added the sending domain ${name(entry)}`,
  'domain.deleted': entry => `deleted the sending domain ${name(entry)}`,
}

function statusChange({ before, after }: AuditEntry): string | null {
  if (before?.['status'] === after?.['status']) return null
  return after?.['status'] === 'enabled' ? 'enabled' : 'paused'
}

function name(entry: AuditEntry): string {
  return text(entry, 'name') ?? entry.target
}

function named(entry: AuditEntry): string {
  const given = text(entry, 'name')
  return given === null ? '' : ` for “${given}”`
}

function host(entry: AuditEntry): string {
  const url = text(entry, 'url')
  return url === null ? entry.target : addressOf(url)
}

/** Several endpoints may be on one host: the path tells them apart. */
function addressOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? url : (parsed.host + parsed.pathname).replace(/\/$/, '')
}

function deliveries({ after }: AuditEntry): string {
  const total = after?.['total']
  if (typeof total !== 'number') return 'deliveries'
  return total === 1 ? 'one delivery' : `${total} deliveries`
}

function secret(entry: AuditEntry): string {
  return `${text(entry, 'secret_prefix') ?? 'whsec_'}…`
}

/** As it was afterwards, or, of what was deleted, before. */
function text({ before, after }: AuditEntry, field: string): string | null {
  const value = (after ?? before)?.[field]
  return typeof value === 'string' ? value : null
}
