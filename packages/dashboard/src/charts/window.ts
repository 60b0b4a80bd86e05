import { useNavigate } from '@tanstack/react-router'
import type { Bucket } from './buckets.ts'

/** The filter of a list for what is behind bars; one that is not over yet has no end. */
export function windowOf(first: Bucket, last: Bucket): { since: string; until?: string } {
  const since = new Date(first.fromMs).toISOString()
  return last.isSoFar ? { since } : { since, until: new Date(last.untilMs).toISOString() }
}

/** Opens the list of deliveries of these bars. */
export function useOpenWindow(): (first: Bucket, last: Bucket) => void {
  const navigate = useNavigate()
  return (first, last) => void navigate({ to: '/deliveries', search: windowOf(first, last) })
}
