import type { WebhookHealth } from '@posthorn/contract'

/** Whether somebody should look: it fails, stopped by itself, or carries a warning. A pause is somebody's own wish. */
export function needsAttention({ state, disabled_reason: reason, warnings }: WebhookHealth): boolean {
  return state === 'failing' || (state === 'disabled' && reason !== 'manual') || warnings.length > 0
}
