import type { AuditEntry } from '@posthorn/contract'

export interface AuditChange {
  /** The name in the API. */
  readonly field: string
  readonly before: string
  readonly after: string
}

/** Fields that follow from other fields, or only say that something changed. */
const selfEvident = new Set([
  'updated_at',
  'status',
  'disabled_reason',
  'endpoint_count',
  'recent',
  'state',
  'promoted_at',
  'retired_at',
  'revoked_at',
  'signature_name',
])

/** The fields whose values changed. A creation or deletion has none. */
export function auditChanges({ before, after }: Pick<AuditEntry, 'before' | 'after'>): AuditChange[] {
  if (before === null || after === null) return []
  return Object.keys(after).flatMap(field => {
    const values = { before: shown(before[field]), after: shown(after[field]) }
    return selfEvident.has(field) || values.before === values.after ? [] : [{ field, ...values }]
  })
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
}
