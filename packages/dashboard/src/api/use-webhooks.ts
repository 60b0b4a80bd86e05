import type { Webhook } from '@posthorn/contract'
import type { Call } from './call.ts'
import { type Question, type Live, useLive } from './use-live.ts'

export const webhooks: Question<Webhook[]> = {
  key: ['webhooks'],
  load: async call => await everyWebhook(call),
}

/** Every endpoint of the account, newest first, refreshed every minute and shared by all components. */
export function useWebhooks(enabled = true): Live<Webhook[]> {
  return useLive({ ...webhooks, everyMs: 60_000, enabled })
}

async function everyWebhook(call: Call): Promise<Webhook[]> {
  const all: Webhook[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await call('listWebhooks', { query: { limit: 250, cursor } })
    all.push(...page.data)
    if (page.next_cursor === null) return all
    cursor = page.next_cursor
  }
}
