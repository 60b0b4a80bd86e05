import { auditEntryPage, auditQuery } from '../resources/audit-entry.ts'
import { route } from '../route.ts'

export const auditLogRoutes = {
  listAuditLog: route({
    operationId: 'listAuditLog',
    method: 'GET',
    path: '/v1/audit-log',
    summary: 'List the audit log',
    description:
      'Returns who changed what, newest first. The audit log covers accounts, API keys, endpoints, signing keys, replays, notices, portal links, suppressions, erasures, domains, confirmed clocks and sign-ins of the operator. Nobody can change its entries. The operator sets `account_id`, or omits it to list the entries that belong to no account.',
    tag: 'Audit log',
    auth: 'operator_or_read',
    role: 'view',
    front: 'account_in_query',
    query: auditQuery,
    success: { status: 200, description: 'One page of the audit log.', schema: auditEntryPage },
    errors: ['account_mismatch'],
  }),
} as const
