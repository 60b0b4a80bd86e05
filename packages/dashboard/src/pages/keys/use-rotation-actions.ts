import type { SigningKey, SigningKeyPromoted, SigningKeyStaged } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { rotationOf } from './rotation.ts'
import { useFreshSigningKeys } from './use-signing-keys.ts'

export interface RotationActions {
  /**
   * Creates a replacement, unless somebody else created one that this page does not show yet. In that case it shows
   * that one and returns `begun`. Null after an error.
   * @param seen how many replacements the page shows
   */
  readonly stage: (seen: number) => Promise<SigningKeyStaged | 'begun' | null>
  readonly discard: (key: SigningKey) => Promise<boolean>
  readonly promote: (key: SigningKey) => Promise<SigningKeyPromoted | null>
  readonly isBusy: boolean
  /** The error of the last action. */
  readonly error: Error | null
  readonly clearError: () => void
}

/** The actions for an endpoint's keys. Not a mutation of the query client, which would keep the secret. */
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
      // also after an error, which another person's change may have caused
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
        // the endpoint shows the start of its primary secret
        void queries.invalidateQueries({ queryKey: ['webhooks'] })
        return promoted
      }),
    isBusy,
    error,
    clearError: () => setError(null),
  }
}
