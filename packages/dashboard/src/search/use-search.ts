import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../api/api-context.ts'
import { useSession } from '../app/session.ts'
import { usePaused } from '../app/use-paused.ts'
import { findIds } from './find-ids.ts'
import type { Match } from './match.ts'

/** How long somebody has to stop typing before it is looked up. */
const pauseMs = 250
/** What was found is believed for so long, and then forgotten: recipients stand in it. */
const keptMs = 10_000

export interface Search {
  /** Undefined as long as nothing was looked up for the text. */
  readonly matches: readonly Match[] | undefined
  readonly isLooking: boolean
  readonly error: Error | null
  /** Looks the text up now. */
  readonly ask: () => Promise<readonly Match[]>
}

/** Looks up what a text names: by itself when it names something for certain, else when it is asked to. */
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
  // what is certain is looked up when the typing stops, a guess when Enter is pressed
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
