import type { SigningKey, SigningKeyPromoted, SigningKeyStaged } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { rotationOf } from './rotation.ts'
import { useFreshSigningKeys } from './use-signing-keys.ts'

export interface RotationActions {
  /**
   * Makes a replacement, unless somebody else made one that this page has not shown yet: then that one is shown, and
   * the answer is `begun`. Null when it failed. @param seen how many replacements the page shows
   */
  readonly stage: (seen: number) => Promise<SigningKeyStaged | 'begun' | null>
  readonly discard: (key: SigningKey) => Promise<boolean>
  readonly promote: (key: SigningKey) => Promise<SigningKeyPromoted | null>
  readonly isBusy: boolean
  /** What the last one failed with. */
  readonly error: Error | null
  readonly clearError: () => void
}

/** What can be done with the keys of an endpoint. Not a mutation of the query client, which would remember the secret. */
export function useRotationActions(id: string): RotationActions {
  const { call } = useApi()
  const queries = useQueryClient()
  const freshKeys = useFreshSigningKeys(id)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)

  const run = async <T>(work: () => Promise<T>): Promise<T | null> => {
    setBusy(true)
    setError(null)
    try {
      return await work()
    } catch (cause) {
      setError(cause instanceof Error ? cause : new Error(String(cause)))
      return null
    } finally {
      // what is shown follows, also what somebody else did that made it fail
      await freshKeys().catch(() => {})
      setBusy(false)
    }
  }
  return {
    stage: async seen =>
      await run(async () =>
        rotationOf(await freshKeys()).staged.length > seen
          ? 'begun'
          : await call('stageSigningKey', { params: { id } }),
      ),
    discard: async ({ key_id }) =>
      (await run(async () => await call('retireSigningKey', { params: { id, key_id } }))) !== null,
    promote: async ({ key_id }) =>
      await run(async () => {
        const promoted = await call('promoteSigningKey', { params: { id, key_id } })
        // the endpoint shows the beginning of its primary secret
        void queries.invalidateQueries({ queryKey: ['webhooks'] })
        return promoted
      }),
    isBusy,
    error,
    clearError: () => setError(null),
  }
}
