import { useMemo } from 'react'
import { useLive } from '../api/use-live.ts'
import { useWebhooks } from '../api/use-webhooks.ts'
import { mayOpen } from '../app/may-open.ts'
import { useSession } from '../app/session.ts'
import type { Match } from './match.ts'
import { places } from './places.ts'

const limit = 250

/** The pages, actions and named things that a search looks through. It loads names only while somebody searches. */
export function usePlaces(isSearching: boolean): readonly Match[] {
  const session = useSession()
  const isAccount = session.kind !== 'operator'
  const webhooks = useWebhooks(isSearching && isAccount).data
  const domains = useLive({
    key: ['domains', 'names'],
    load: async (call, signal) => (await call('listSendingDomains', { query: { limit }, signal })).data,
    everyMs: null,
    enabled: isSearching && isAccount,
  }).data
  const apiKeys = useLive({
    key: ['api-keys', 'names'],
    load: async (call, signal) => (await call('listOwnApiKeys', { query: { limit }, signal })).data,
    everyMs: null,
    enabled: isSearching && isAccount && mayOpen(session, '/api-keys'),
  }).data
  const accounts = useLive({
    key: ['accounts', 'names'],
    load: async (call, signal) => (await call('listAccounts', { query: { limit }, signal })).data,
    everyMs: null,
    enabled: isSearching && !isAccount,
  }).data
  return useMemo(
    () =>
      places(session, {
        webhooks: webhooks ?? [],
        domains: domains ?? [],
        apiKeys: apiKeys ?? [],
        accounts: accounts ?? [],
      }),
    [session, webhooks, domains, apiKeys, accounts],
  )
}
