import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../api/api-context.ts'
import { useSession } from '../app/session.ts'
import { usePaused } from '../app/use-paused.ts'
import { findIds } from './find-ids.ts'
import type { Match } from './match.ts'

/** How long typing must pause before a search. */
const pauseMs = 250
/** How long results are kept; they are forgotten soon because they contain recipients. */
const keptMs = 10_000

export interface Search {
  /** Undefined until the text was looked up. */
  readonly matches: readonly Match[] | undefined
  readonly isLooking: boolean
  readonly error: Error | null
  /** Looks up the text now. */
  readonly ask: () => Promise<readonly Match[]>
}

/** Looks up the ids in a text: automatically if they are certain, otherwise on request. */
export function useSearch(text: string): Search {
  const { call } = useApi()
  const queries = useQueryClient()
  const isOperator = useSession().kind === 'operator'
  const { pathname } = useLocation()
  const endpointId = /^\/endpoints\/(wh_[0-9a-z]{26})/.exec(pathname)?.[1] ?? null
  const [pressed, setPressed] = useState('')
  const paused = usePaused(text, pauseMs)
  const wanted = findIds(text)
  const isCertain = wanted.length > 0 && wanted[0]?.isGuess !== true
  // certain ids are looked up after a pause in typing, guesses on Enter
  const isAsked = text !== '' && (pressed === text || (isCertain && paused === text))

  const lookingUp = (pasted: string) => ({
    queryKey: ['search', pasted, endpointId],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { lookUp } = await import('./look-up.ts')
      return await lookUp({ call, signal, isOperator, endpointId }, findIds(pasted))
    },
    staleTime: keptMs,
    gcTime: keptMs,
  })
  const { data, isFetching, error } = useQuery({ ...lookingUp(text), enabled: isAsked })
  return {
    matches: isAsked ? data : undefined,
    isLooking: isFetching,
    error: isAsked ? error : null,
    ask: async () => {
      setPressed(text)
      return await queries.fetchQuery(lookingUp(text))
    },
  }
}
