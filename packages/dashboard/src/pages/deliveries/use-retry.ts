import type { Delivery } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { ApiProblem } from '../../api/problem.ts'
import { announce } from '../../app/announce.ts'
import { triedAgainWords } from '../../words/attempt-words.ts'

export interface Retry {
  /** Sends the delivery again; `enable` first enables its endpoint. */
  readonly start: (options?: { enable: boolean }) => void
  /** True until the attempt is over. */
  readonly busy: boolean
  readonly error: Error | null
  /** The result of the attempt. */
  readonly words: string | null
}

/** Retries one delivery now and follows it until the attempt is over. */
export function useRetry(delivery: Delivery): Retry {
  const { call } = useApi()
  const queries = useQueryClient()
  const [triesBefore, setTriesBefore] = useState<number | null>(null)
  const { id, webhook_id: webhookId, attempt_count: tries, state } = delivery
  const sending = useMutation({
    mutationFn: async ({ enable }: { enable: boolean }) => {
      if (enable) await call('updateWebhook', { params: { id: webhookId }, body: { enabled: true } })
      // a pending delivery goes out automatically once its endpoint is enabled
      if (enable && state === 'pending') return
      await call('retryDelivery', { params: { id } }).catch((error: unknown) => {
        if (!(enable && error instanceof ApiProblem && error.code === 'delivery_pending')) throw error
      })
    },
    onMutate: () => setTriesBefore(tries),
    onError: () => setTriesBefore(null),
    onSettled: async () => {
      await queries.invalidateQueries({
        predicate: ({ queryKey: [name, ...rest] }) => follows(name, rest.at(-1)),
      })
    },
  })
  const isOver = triesBefore !== null && tries > triesBefore
  const words = isOver ? triedAgainWords(lastAttempt(delivery)) : null
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

/** The latest attempt; in a list, only what the row knows of it. */
function lastAttempt({ attempts = [], ...row }: Delivery): Parameters<typeof triedAgainWords>[0] {
  const newest = attempts.toSorted((a, b) => b.number - a.number)[0]
  if (newest !== undefined) return newest
  const { last_error_code: code, last_status_code: status, last_duration_ms: ms } = row
  const error = code === null || row.state === 'delivered' ? null : { code, message: '' }
  return { error, status_code: status, duration_ms: ms ?? 0 }
}

const followers: readonly unknown[] = ['deliveries', 'events', 'webhooks', 'webhook-health']

/** The data that a retry may change. Rows update from the newest page, so that none moves. */
function follows(name: unknown, part: unknown): boolean {
  return followers.includes(name) && part !== 'rows'
}
