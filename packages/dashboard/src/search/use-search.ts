import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useApi } from '../api/api-context.ts'
import { useSession } from '../app/session.ts'
import { usePaused } from '../app/use-paused.ts'
import { addressStart, findAddresses } from './find-addresses.ts'
import { findIds } from './find-ids.ts'
import { findNames, lengthMin } from './find-names.ts'
import type { Match } from './match.ts'
import { usePlaces } from './use-places.ts'

/** How long typing must pause before a search. */
const pauseMs = 250
/** How long results are kept; they are forgotten soon because they contain recipients. */
const keptMs = 10_000

export interface Search {
  readonly matches: readonly Match[]
  /** Whether more matches may come: the text is an id or address that is not looked up yet, or names are missing. */
  readonly isLooking: boolean
  readonly error: Error | null
  /** Resolves with the best match, as soon as all names are known. */
  readonly best: () => Promise<Match | undefined>
  /** Looks up the text now. Resolves with all matches. */
  readonly ask: () => Promise<readonly Match[]>
}

/**
 * Finds names, pages and actions at once. It looks up ids and addresses in the service: automatically if they are certain,
 * otherwise on request.
 */
export function useSearch(text: string): Search {
  const { call } = useApi()
  const queries = useQueryClient()
  const isOperator = useSession().kind === 'operator'
  const { pathname } = useLocation()
  const endpointId = /^\/endpoints\/(wh_[0-9a-z]{26})/.exec(pathname)?.[1] ?? null
  const [pressed, setPressed] = useState('')
  const paused = usePaused(text, pauseMs)
  const places = usePlaces(text !== '')
  const names = useMemo(() => findNames(text, places.known), [text, places.known])
  const wanted = findIds(text)
  const isGuess = wanted[0]?.isGuess === true
  const isCertain = (wanted.length > 0 && !isGuess) || (!isOperator && addressStart(text) !== null)
  // certain ids are looked up after a pause in typing, guesses on Enter
  const isAsked = text !== '' && (pressed === text || (isCertain && paused === text))

  const lookingUp = (pasted: string) => ({
    queryKey: ['search', pasted, endpointId],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Match[]> => {
      const { lookUp } = await import('./look-up.ts')
      const start = isOperator ? null : addressStart(pasted)
      const found = await Promise.all([
        lookUp({ call, signal, isOperator, endpointId }, findIds(pasted)),
        start === null ? [] : findAddresses(call, start, signal),
      ])
      return found.flat()
    },
    staleTime: keptMs,
    gcTime: keptMs,
  })
  const { data, isFetching, error } = useQuery({ ...lookingUp(text), enabled: isAsked })
  const found = isAsked ? (data ?? []) : []
  return {
    matches: [
      ...together(found, names),
      ...(isGuess && !isAsked && text.trim().length >= lengthMin ? [byId(text)] : []),
    ],
    isLooking: isFetching || (isCertain && !isAsked) || places.isLoading,
    error: isAsked ? error : null,
    best: async () => (isCertain ? undefined : findNames(text, await places.loaded())[0]),
    ask: async () => {
      setPressed(text)
      return together(await queries.fetchQuery(lookingUp(text)), names)
    },
  }
}

/** What was looked up, and the names that are not among it. */
function together(found: readonly Match[], names: readonly Match[]): Match[] {
  const known = new Set(found.map(({ href }) => href))
  return [...found, ...names.filter(({ group, href }) => group === 'Actions' || !known.has(href))]
}

function byId(text: string): Match {
  return {
    group: 'Search further',
    href: '',
    title: `Email with the id “${text.trim()}”`,
    detail: '',
    looksUp: true,
  }
}
