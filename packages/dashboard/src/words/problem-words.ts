import { ApiProblem, OfflineError } from '../api/problem.ts'

/** The message about a failed request. `readAt`: when the data on the page was loaded. */
export function problemWords(error: Error, readAt: string | null = null): string {
  if (error instanceof OfflineError) {
    const why = error.hasNetwork ? 'The service does not answer.' : 'You are offline.'
    return readAt === null ? why : `${why} The page shows data from ${readAt}.`
  }
  if (!(error instanceof ApiProblem)) return 'Something failed on our side.'
  const seconds = retrySeconds(error) ?? usualSeconds
  switch (error.status) {
    case 401:
      return 'Your session ended. Sign in again. Your input is kept.'
    case 403:
      return error.code === 'insufficient_scope' ? 'This key may only read.' : error.message
    case 404:
      return 'Not found, or not yours.'
    case 429:
      return `Too many requests. Try again in ${seconds} s.`
    case 503:
      if (error.code === 'account_moving') return `This account is being moved. We try again in ${seconds} s.`
      return error.code === 'database_unavailable' || error.code === 'shard_unavailable'
        ? `The database is not available. We try again in ${seconds} s.`
        : `The service is busy. We try again in ${seconds} s.`
    default:
      if (error.status >= 500) {
        const id = error.requestId === null ? '' : ` Request id: ${error.requestId}.`
        return `Something failed on our side.${id}`
      }
      return error.message
  }
}

/** When the page retries automatically, as its message promises; null: it does not. */
export function retrySeconds(error: Error): number | null {
  if (!(error instanceof ApiProblem) || (error.status !== 429 && error.status !== 503)) return null
  return error.retryAfterSeconds ?? usualSeconds
}

const usualSeconds = 5
