import type { AuditAction } from '@posthorn/contract'
import { auditActions } from '@posthorn/contract/plain'

/** What changes can be about: the choices in the audit log's filter. */
export const auditKinds = {
  endpoints: 'Endpoints',
  'signing-keys': 'Signing keys',
  'api-keys': 'API keys',
  'portal-links': 'Portal links',
  replays: 'Replays',
  notices: 'Notices',
  suppressions: 'Suppressions',
  erasures: 'Erasures',
  domains: 'Domains',
  account: 'Account',
} as const

export type AuditKind = keyof typeof auditKinds

const kindOf: Record<AuditAction, AuditKind> = {
  'account.created': 'account',
  'account.updated': 'account',
  'account.deleted': 'account',
  'api_key.created': 'api-keys',
  'api_key.revoked': 'api-keys',
  'webhook.created': 'endpoints',
  'webhook.updated': 'endpoints',
  'webhook.loopback_permitted': 'endpoints',
  'webhook.deleted': 'endpoints',
  'webhook.disabled': 'endpoints',
  'signing_key.staged': 'signing-keys',
  'signing_key.promoted': 'signing-keys',
  'signing_key.retired': 'signing-keys',
  'replay.created': 'replays',
  'replay.cancelled': 'replays',
  'notice_webhook.created': 'notices',
  'notice_webhook.updated': 'notices',
  'notice_webhook.deleted': 'notices',
  'notice_email.set': 'notices',
  'notice_email.deleted': 'notices',
  'portal_session.created': 'portal-links',
  'portal_session.revoked': 'portal-links',
  'operator.signed_in': 'account',
  'operator.created': 'account',
  'operator.removed': 'account',
  'clock.confirmed': 'account',
  'suppression.created': 'suppressions',
  'suppression.lifted': 'suppressions',
  'suppression.imported': 'suppressions',
  'erasure.created': 'erasures',
  'branding.updated': 'account',
  'domain.created': 'domains',
  'domain.updated': 'domains',
  'domain.deleted': 'domains',
  'source.created': 'account',
  'source.deleted': 'account',
}

/** The actions of one kind. */
export function actionsOf(kind: AuditKind): AuditAction[] {
  return auditActions.filter(action => kindOf[action] === kind)
}

export function isAuditKind(text: unknown): text is AuditKind {
  return typeof text === 'string' && Object.hasOwn(auditKinds, text)
}
