import type { AuditAction, AuditEntry } from '@posthorn/contract'

export interface AuditChange {
  /** The field as the dashboard calls it. */
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The changed values of an update. The sentences of other entries say everything. */
export function auditChanges({
  action,
  before,
  after,
}: Pick<AuditEntry, 'action' | 'before' | 'after'>): AuditChange[] {
  if (before === null || after === null || !isListed(action)) return []
  return Object.keys(after).flatMap(field => {
    const values = { before: shown(before[field]), after: shown(after[field]) }
    const isSame = JSON.stringify(before[field] ?? null) === JSON.stringify(after[field] ?? null)
    return selfEvident.has(field) || isSame ? [] : [{ label: labelOf(field), ...values }]
  })
}

function isListed(action: AuditAction): boolean {
  return action.endsWith('.updated') || replacements.has(action)
}

/** They replace a value and are no updates. */
const replacements = new Set<AuditAction>([
  'webhook.loopback_permitted',
  'notice_email.set',
  'clock.confirmed',
])

/** Fields that follow from other fields, or that the sentence of the entry is about. */
const selfEvident = new Set([
  'updated_at',
  'status',
  'disabled_reason',
  'endpoint_count',
  'suspended_at',
  'suspended_reason',
  'records',
  'verified_at',
  'return_path_verified_at',
  'link_host_verified_at',
])

const labels: Readonly<Record<string, string>> = {
  url: 'URL',
  rate_limit_per_second: 'Rate limit, events per second',
  retry_base_seconds: 'Retry base, seconds',
  retry_cap_seconds: 'Retry cap, seconds',
  attempt_timeout_seconds: 'Attempt timeout, seconds',
  standard_webhooks: 'Standard Webhooks headers',
  secret_prefix: 'Secret',
  max_endpoints: 'Webhook endpoints',
  color: 'Button color',
  last_trusted_at: 'Last trusted time',
}

/** A newer service may have fields that this page does not know. */
function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ')
  return labels[field] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (typeof value === 'object') return partsOf(value).join(', ') || '—'
  return String(value as string | number | boolean)
}

/** A logo by its size, and headers by their names. */
function partsOf(value: object): string[] {
  if ('width' in value && 'height' in value)
    return [`${String(value.width)} × ${String(value.height)} pixels`]
  return Object.keys(value)
}
