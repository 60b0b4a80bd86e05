import { useMemo } from 'react'
import { type Live, useLive } from '../api/use-live.ts'
import { useWebhooks } from '../api/use-webhooks.ts'
import { mayOpen } from '../app/may-open.ts'
import { useSession } from '../app/session.ts'
import type { Match } from './match.ts'
import { places } from './places.ts'

const limit = 250

/** The pages, actions and named things that a search looks through. */
export interface Places {
  readonly known: readonly Match[]
  /** Whether names are missing that will come. */
  readonly isLoading: boolean
  /** Resolves when no more names will come. */
  readonly loaded: () => Promise<readonly Match[]>
}

/** It loads names only while somebody searches. */
export function usePlaces(isSearching: boolean): Places {
  const session = useSession()
  const isAccount = session.kind !== 'operator'
  const webhooks = useWebhooks(isSearching && isAccount)
  const domains = useLive({
    key: ['domains', 'names'],
    load: async (call, signal) => (await call('listSendingDomains', { query: { limit }, signal })).data,
    everyMs: null,
    enabled: isSearching && isAccount,
  })
  const apiKeys = useLive({
    key: ['api-keys', 'names'],
    load: async (call, signal) => (await call('listOwnApiKeys', { query: { limit }, signal })).data,
    everyMs: null,
    enabled: isSearching && isAccount && mayOpen(session, '/api-keys'),
  })
  const accounts = useLive({
    key: ['accounts', 'names'],
    load: async (call, signal) => (await call('listAccounts', { query: { limit }, signal })).data,
    everyMs: null,
    enabled: isSearching && !isAccount,
  })
  const known = useMemo(
    () =>
      places(session, {
        webhooks: webhooks.data ?? [],
        domains: domains.data ?? [],
        apiKeys: apiKeys.data ?? [],
        accounts: accounts.data ?? [],
      }),
    [session, webhooks.data, domains.data, apiKeys.data, accounts.data],
  )
  return {
    known,
    isLoading: [webhooks, domains, apiKeys, accounts].some(names => names.isLoading),
    loaded: async () =>
      places(session, {
        webhooks: await namesOf(webhooks),
        domains: await namesOf(domains),
        apiKeys: await namesOf(apiKeys),
        accounts: await namesOf(accounts),
      }),
  }
}

async function namesOf<T>({ data, isLoading, refetch }: Live<T[]>): Promise<readonly T[]> {
  // without cancelRefetch, this waits for the request that is under way
  return (isLoading ? (await refetch({ cancelRefetch: false })).data : data) ?? []
}
