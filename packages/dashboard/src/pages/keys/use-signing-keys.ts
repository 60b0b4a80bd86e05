import type { SigningKey } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import type { Call } from '../../api/call.ts'
import { type Live, useLive } from '../../api/use-live.ts'

/** The keys of an endpoint, retired ones included; every 2 s while a replacement waits for its proof. */
export function useSigningKeys(id: string): Live<SigningKey[]> {
  return useLive({
    key: signingKeysKey(id),
    load: async (call, signal) => await loadSigningKeys(call, id, signal),
    everyMs: latest => (latest?.some(key => key.state === 'staged') === true ? 2_000 : 5_000),
  })
}

/** Loads the current keys without the cache, because somebody else may have started a rotation. */
export function useFreshSigningKeys(id: string): () => Promise<SigningKey[]> {
  const queries = useQueryClient()
  return async () => {
    await queries.refetchQueries({ queryKey: signingKeysKey(id), exact: true }, { throwOnError: true })
    return queries.getQueryData<SigningKey[]>(signingKeysKey(id)) ?? []
  }
}

function signingKeysKey(id: string): readonly string[] {
  return ['signing-keys', id]
}

async function loadSigningKeys(call: Call, id: string, signal: AbortSignal): Promise<SigningKey[]> {
  const { data } = await call('listSigningKeys', { params: { id }, query: { limit: 250 }, signal })
  return data
}
