import { type AuditKind, isAuditKind } from '../words/audit-kinds.ts'

/** The filters of the audit log, as they appear in the URL. */
export interface AuditFilters {
  readonly kind?: AuditKind
  /** The id of the changed object. */
  readonly target?: string
  /** RFC 3339, inclusive. */
  readonly since?: string
  /** RFC 3339, exclusive. */
  readonly until?: string
}

export function auditFilters({ kind, target, since, until }: Record<string, unknown>): AuditFilters {
  return {
    ...(isAuditKind(kind) && { kind }),
    ...(isText(target) && { target }),
    ...(isText(since) && { since }),
    ...(isText(until) && { until }),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
