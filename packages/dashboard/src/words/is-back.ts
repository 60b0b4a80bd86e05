import type { WebhookHealth } from '@posthorn/contract'

/** Whether an endpoint works again after an outage while failed deliveries still wait for a later attempt. */
export function isBack({ state, waiting_count, last_due_at: lastDueAt, hours }: WebhookHealth): boolean {
  const hadOutage = hours.some(({ delivered, failed }) => failed > delivered)
  return state === 'healthy' && waiting_count > 0 && lastDueAt !== null && hadOutage
}
