import type { WebhookHealth } from '@posthorn/contract'

/**
 * Whether an endpoint needs attention: it fails, was disabled automatically, or has a warning. A manual pause does
 * not count.
 */
export function needsAttention({ state, disabled_reason: reason, warnings }: WebhookHealth): boolean {
  return state === 'failing' || (state === 'disabled' && reason !== 'manual') || warnings.length > 0
}
