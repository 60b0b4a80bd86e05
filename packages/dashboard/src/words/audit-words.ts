import type { AuditAction, AuditEntry } from '@posthorn/contract'
import { providerKinds } from '@posthorn/contract/plain'
import { auditChanges } from './audit-changes.ts'
import { endpointName } from './endpoint-name.ts'
import { suspensionReasons } from './sending-words.ts'
import { addressOf } from './url-words.ts'

/** What the actor did, after their name: `created the endpoint hooks.acme.test`. */
export function auditWords(entry: AuditEntry): string {
  // after an upgrade, an old page can meet actions that it does not know
  return Object.hasOwn(phrases, entry.action)
    ? phrases[entry.action](entry)
    : `made a change: ${entry.action}`
}

/** The text for each action of the audit log; a new action does not compile without one. */
const phrases: Record<AuditAction, (entry: AuditEntry) => string> = {
  'account.created': entry => `created the account ${name(entry)}`,
  'account.updated': entry => suspensionChange(entry) ?? updated(entry, `the account ${name(entry)}`),
  'account.deleted': () => 'deleted the account',
  'api_key.created': entry => `created the API key “${name(entry)}”`,
  'api_key.revoked': entry => `revoked the API key “${name(entry)}”`,
  'webhook.created': entry => `created the endpoint ${host(entry)}`,
  'webhook.updated': entry => statusChange(entry) ?? updated(entry, `the endpoint ${host(entry)}`),
  'webhook.loopback_permitted': entry => `moved the endpoint to this machine: ${host(entry)}`,
  'webhook.deleted': entry => `deleted the endpoint ${host(entry)}`,
  'webhook.disabled': entry =>
    `stopped sending to ${host(entry)}: ${text(entry, 'disabled_reason') === 'gone' ? 'it answered 410 (gone)' : 'every attempt failed for too long'}`,
  'signing_key.staged': entry => `created the replacement secret ${secret(entry)}`,
  'signing_key.promoted': entry => `made ${secret(entry)} primary and erased the previous secret`,
  'signing_key.retired': entry => `discarded the replacement secret ${secret(entry)}`,
  'replay.created': entry => `started a replay of ${deliveries(entry)}`,
  'replay.cancelled': () => 'stopped a replay',
  'notice_webhook.created': entry => `set the notice URL to ${host(entry)}`,
  'notice_webhook.updated': entry => `changed the notice URL to ${host(entry)}`,
  'notice_webhook.deleted': entry => `stopped notices to ${host(entry)}`,
  'notice_email.set': entry => `set the notice email address to ${text(entry, 'address')}`,
  'notice_email.deleted': () => 'stopped notices by email',
  'portal_session.created': entry => `created a portal link${named(entry)}`,
  'portal_session.revoked': entry => `revoked a portal link${named(entry)}`,
  'operator.signed_in': () => 'signed in',
  'operator.created': entry => `created the operator’s token “${name(entry)}”`,
  'operator.removed': entry => `removed the operator’s token “${name(entry)}”`,
  'clock.confirmed': () => 'confirmed the database’s clock',
  'suppression.created': () => 'suppressed an address',
  'suppression.lifted': () => 'lifted the suppression of an address',
  'suppression.imported': () => 'imported a list of suppressions',
  'erasure.created': () => 'erased a person’s address',
  'branding.updated': entry => updated(entry, 'the branding of the unsubscribe page'),
  'domain.created': entry => `added the sending domain ${name(entry)}`,
  'domain.updated': entry => updated(entry, `the sending domain ${name(entry)}`),
  'domain.deleted': entry => `deleted the sending domain ${name(entry)}`,
  'source.created': entry => `connected ${provider(entry)}`,
  'source.deleted': entry => `disconnected ${provider(entry)}`,
}

/** Some values, such as those of headers, are not in the log. */
function updated(entry: AuditEntry, what: string): string {
  const isVisible = entry.before === null || entry.after === null || auditChanges(entry).length > 0
  return isVisible ? `changed ${what}` : `saved ${what} without a visible change`
}

function statusChange(entry: AuditEntry): string | null {
  const { before, after } = entry
  if (before?.['status'] === after?.['status']) return null
  return `${after?.['status'] === 'enabled' ? 'enabled' : 'disabled'} ${host(entry)}`
}

function suspensionChange(entry: AuditEntry): string | null {
  const { before, after } = entry
  const isSuspended = after?.['suspended_at'] != null
  if ((before?.['suspended_at'] != null) === isSuspended) return null
  if (!isSuspended) return `lifted the suspension of the account ${name(entry)}`
  const reason = after?.['suspended_reason']
  const why = reason === 'bounce_rate' || reason === 'complaint_rate' ? `: ${suspensionReasons[reason]}` : ''
  return `suspended the account ${name(entry)}${why}`
}

function provider(entry: AuditEntry): string {
  const kind = text(entry, 'kind') ?? ''
  return Object.entries(providerKinds).find(([one]) => one === kind)?.[1] ?? 'a mail provider'
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
  const description = text(entry, 'description') ?? ''
  if (url === null) return description === '' ? entry.target : endpointName({ description, url: '' })
  const address = addressOf(url)
  return description === '' ? address : `${endpointName({ description, url })} (${address})`
}

function deliveries({ after }: AuditEntry): string {
  const total = after?.['total']
  if (typeof total !== 'number') return 'deliveries'
  return total === 1 ? 'one delivery' : `${total} deliveries`
}

function secret(entry: AuditEntry): string {
  return `${text(entry, 'secret_prefix') ?? 'whsec_'}…`
}

/** The value after the change or, for a deletion, before it. */
function text({ before, after }: AuditEntry, field: string): string | null {
  const value = (after ?? before)?.[field]
  return typeof value === 'string' ? value : null
}
