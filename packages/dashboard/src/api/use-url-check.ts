import type { UrlCheck } from '@posthorn/contract'
import { useQuery } from '@tanstack/react-query'
import { usePaused } from '../app/use-paused.ts'
import { useApi } from './api-context.ts'
import { ApiProblem } from './problem.ts'

/** The findings about a typed URL. */
export type UrlKnowledge =
  | { readonly kind: 'nothing' | 'checking' }
  | { readonly kind: 'checked'; readonly url: string; readonly check: UrlCheck }
  /** The URL is not allowed for an endpoint, whatever answers there. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unknown'; readonly error: Error }

/** Checks a URL once typing has paused; a recent result is reused. */
export function useUrlCheck(typed: string, enabled = true): UrlKnowledge {
  const { call } = useApi()
  const url = usePaused(typed.trim())
  const { data, error, isFetching } = useQuery({
    queryKey: ['url-check', url],
    queryFn: async ({ signal }) => await call('checkUrl', { body: { url }, signal }),
    enabled: enabled && isWorthAsking(url),
    staleTime: 60_000,
    retry: false,
    refetchInterval: query => waitMs(query.state.error),
  })
  if (!enabled || !isWorthAsking(typed)) return { kind: 'nothing' }
  if (url !== typed.trim() || (isFetching && data === undefined)) return { kind: 'checking' }
  if (data !== undefined) return { kind: 'checked', url, check: data }
  if (error === null) return { kind: 'nothing' }
  const isRefusal = error instanceof ApiProblem && error.code === 'url_not_allowed'
  return isRefusal ? { kind: 'refused', why: error.message } : { kind: 'unknown', error }
}

/** Whether the URL is not allowed for an endpoint. All other findings can change. */
export function isRefused(knowledge: UrlKnowledge): boolean {
  if (knowledge.kind !== 'checked') return knowledge.kind === 'refused'
  return knowledge.check.findings.some(({ code }) => code === 'address_refused')
}

function isWorthAsking(text: string): boolean {
  return /^https?:\/\/[^/\s]*[^/\s.:]/i.test(text.trim()) && URL.canParse(text.trim())
}

function waitMs(error: Error | null): number | false {
  if (!(error instanceof ApiProblem) || error.status !== 429) return false
  return (error.retryAfterSeconds ?? 5) * 1_000
}
