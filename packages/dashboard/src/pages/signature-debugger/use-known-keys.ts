import type { Webhook } from '@posthorn/contract'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import type { Call } from '../../api/call.ts'
import { useSession } from '../../app/session.ts'
import type { KnownKey } from './mistakes/known-key.ts'

const atOnce = 6

/**
 * The start of every secret of the account, loaded before the secret field appears, so that naming a secret's owner
 * needs no request. An operator has no account and no keys.
 */
export function useKnownKeys(): UseQueryResult<KnownKey[]> {
  const { call } = useApi()
  const { account } = useSession()
  return useQuery({
    queryKey: ['known-keys'],
    queryFn: async ({ signal }) => (account === null ? [] : await everyKey(call, signal)),
    staleTime: 30_000,
    // the page works without the keys, and somebody with a secret at hand must not wait long
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

async function everyKey(call: Call, signal: AbortSignal): Promise<KnownKey[]> {
  const webhooks: Webhook[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await call('listWebhooks', { query: { limit: 250, cursor }, signal })
    webhooks.push(...page.data)
    if (page.next_cursor === null) break
    cursor = page.next_cursor
  }
  const known: KnownKey[] = []
  for (let from = 0; from < webhooks.length; from += atOnce) {
    const some = webhooks.slice(from, from + atOnce)
    known.push(...(await Promise.all(some.map(async one => await keysOf(one, call, signal)))).flat())
  }
  return known
}

async function keysOf(webhook: Webhook, call: Call, signal: AbortSignal): Promise<KnownKey[]> {
  const { data } = await call('listSigningKeys', {
    params: { id: webhook.id },
    query: { limit: 250 },
    signal,
  })
  return data.map(key => ({
    webhook: { id: webhook.id, url: webhook.url, description: webhook.description },
    key,
  }))
}
