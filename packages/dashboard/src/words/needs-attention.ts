import type { WebhookHealth } from '@posthorn/contract'

/**
 * Whether an endpoint needs attention: it fails some or all attempts, Posthorn disabled it, or it has a warning. An endpoint that
 * somebody disabled does not count.
 */
export function needsAttention({ state, disabled_reason: reason, warnings }: WebhookHealth): boolean {
  return (
    state === 'failing' ||
    state === 'degraded' ||
    (state === 'disabled' && reason !== 'manual') ||
    warnings.length > 0
  )
}
