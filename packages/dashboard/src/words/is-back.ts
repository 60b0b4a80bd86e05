import type { WebhookHealth } from '@posthorn/contract'

/** Whether an endpoint works again after an outage while failed deliveries still wait for a later attempt. */
export function isBack(health: WebhookHealth): boolean {
  const { waiting_count: waiting, last_due_at: lastDueAt, hours } = health
  const hadOutage = hours.some(({ delivered, failed }) => failed > delivered)
  return isWorking(health) && waiting > 0 && lastDueAt !== null && hadOutage
}

/** After an outage, an endpoint is degraded for an hour even if nothing fails any more. */
function isWorking(health: WebhookHealth): boolean {
  const { state, failures_in_row: failures, last_success_at: succeededAt, last_failure_at: failedAt } = health
  if (failures > 0) return false
  if (state !== 'degraded') return state === 'healthy'
  if (succeededAt === null || failedAt === null) return false
  return Date.parse(succeededAt) - Date.parse(failedAt) >= 60_000
}
