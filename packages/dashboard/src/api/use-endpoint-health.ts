import type { WebhookHealth } from '@posthorn/contract'
import type { Call } from './call.ts'
import { type Question, type Live, useLive } from './use-live.ts'

export const endpointHealth: Question<WebhookHealth[]> = {
  key: ['webhook-health'],
  load: async call => await everyHealth(call),
}

/** The health of every endpoint of the account, refreshed every 15 s and shared by all components. */
export function useEndpointHealth(): Live<WebhookHealth[]> {
  return useLive({ ...endpointHealth, everyMs: 15_000 })
}

async function everyHealth(call: Call): Promise<WebhookHealth[]> {
  const all: WebhookHealth[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await call('listWebhookHealth', { query: { limit: 250, cursor } })
    all.push(...page.data)
    if (page.next_cursor === null) return all
    cursor = page.next_cursor
  }
}
