import type { Delivery } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { ApiProblem } from '../../api/problem.ts'
import { announce } from '../../app/announce.ts'
import { triedAgainWords } from '../../words/attempt-words.ts'

export interface Retry {
  /** Sends it once more; `enable` takes up sending to its endpoint first. */
  readonly start: (options?: { enable: boolean }) => void
  /** Until the attempt is over. */
  readonly busy: boolean
  readonly error: Error | null
  /** What the attempt came to. */
  readonly words: string | null
}

/** Tries one delivery again, now, and follows it until the attempt is over. */
export function useRetry(delivery: Delivery): Retry {
  const { call } = useApi()
  const queries = useQueryClient()
  const [triesBefore, setTriesBefore] = useState<number | null>(null)
  const { id, webhook_id: webhookId, attempt_count: tries, state } = delivery
  const sending = useMutation({
    mutationFn: async ({ enable }: { enable: boolean }) => {
      if (enable) await call('updateWebhook', { params: { id: webhookId }, body: { enabled: true } })
      // what is pending goes by itself once its endpoint is enabled
      if (enable && state === 'pending') return
      await call('retryDelivery', { params: { id } }).catch((error: unknown) => {
        if (!(enable && error instanceof ApiProblem && error.code === 'delivery_pending')) throw error
      })
    },
    onMutate: () => setTriesBefore(tries),
    onError: () => setTriesBefore(null),
    onSettled: async () => {
      const keys = ['deliveries', 'events', 'webhooks', 'webhook-health']
      await Promise.all(keys.map(async key => await queries.invalidateQueries({ queryKey: [key] })))
    },
  })
  const isOver = triesBefore !== null && tries > triesBefore
  const newest = delivery.attempts?.toSorted((a, b) => b.number - a.number)[0]
  const words = isOver && newest !== undefined ? triedAgainWords(newest) : null
  useEffect(() => {
    if (words !== null) announce(words)
  }, [words])
  return {
    start: options => sending.mutate(options ?? { enable: false }),
    busy: sending.isPending || (triesBefore !== null && !isOver),
    error: sending.error,
    words,
  }
}
