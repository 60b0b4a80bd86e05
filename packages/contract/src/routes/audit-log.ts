import { auditEntryPage, auditQuery } from '../resources/audit-entry.ts'
import { route } from '../route.ts'

export const auditLogRoutes = {
  listAuditLog: route({
    operationId: 'listAuditLog',
    method: 'GET',
    path: '/v1/audit-log',
    summary: 'List who changed what',
    description:
      'Every change of the account, its endpoints, signing keys, API keys and notice webhook, newest first. It is append-only.',
    tag: 'Audit log',
    auth: 'operator_or_read',
    query: auditQuery,
    success: { status: 200, description: 'A page of the audit log.', schema: auditEntryPage },
    errors: ['account_mismatch'],
  }),
} as const
