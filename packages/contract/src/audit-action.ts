/** Everything that is written into the audit log. */
export const auditActions = [
  'account.created',
  'account.updated',
  'account.deleted',
  'api_key.created',
  'api_key.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.disabled',
  'signing_key.staged',
  'signing_key.promoted',
  'signing_key.retired',
  'notice_webhook.created',
  'notice_webhook.updated',
  'notice_webhook.deleted',
  'notice_email.set',
  'notice_email.deleted',
  'portal_session.created',
  'portal_session.revoked',
  'operator.signed_in',
  'suppression.created',
  'suppression.lifted',
  'domain.created',
  'domain.deleted',
] as const

export type AuditAction = (typeof auditActions)[number]
