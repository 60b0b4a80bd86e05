import { ApiProblem, OfflineError } from '../api/problem.ts'

/**
 * The message about a failed request.
 * @param readAt when the data on the page was loaded
 * @param isRetried the page says by itself when it tries again
 */
export function problemWords(error: Error, readAt: string | null = null, isRetried = false): string {
  if (error instanceof OfflineError) {
    const why = error.hasNetwork ? 'The service does not answer.' : 'You are offline.'
    return readAt === null ? why : `${why} The page shows data from ${readAt}.`
  }
  if (!(error instanceof ApiProblem)) return 'Something failed on our side.'
  switch (error.status) {
    case 401:
      return 'Your session ended. Sign in again. Your input is kept.'
    case 403:
      return error.code === 'insufficient_scope' ? 'This key may only read.' : error.message
    case 404:
      return 'Not found, or not yours.'
    case 429:
      return isRetried ? 'Too many requests.' : `Too many requests. Try again in ${retrySeconds(error)} s.`
    case 503:
      if (error.code === 'account_moving') return 'This account is being moved.'
      return error.code === 'database_unavailable' || error.code === 'shard_unavailable'
        ? 'The database is not available.'
        : 'The service is busy.'
    default:
      if (error.status >= 500) {
        const id = error.requestId === null ? '' : ` Request id: ${error.requestId}.`
        return `Something failed on our side.${id}`
      }
      return error.message
  }
}

/** When the page retries by itself; null: it does not, because the same request would fail again. */
export function retrySeconds(error: Error): number | null {
  if (error instanceof OfflineError) return usualSeconds
  if (!(error instanceof ApiProblem) || (error.status !== 429 && error.status < 500)) return null
  return error.retryAfterSeconds ?? usualSeconds
}

const usualSeconds = 5
