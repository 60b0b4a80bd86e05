import type { WebhookHealth } from '@posthorn/contract'

/** Whether an endpoint works again after an outage while what failed meanwhile still waits for a later try. */
export function isBack({ state, waiting_count, last_due_at: lastDueAt, hours }: WebhookHealth): boolean {
  const hadOutage = hours.some(({ delivered, failed }) => failed > delivered)
  return state === 'healthy' && waiting_count > 0 && lastDueAt !== null && hadOutage
}
