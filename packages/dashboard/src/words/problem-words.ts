import { ApiProblem, OfflineError } from '../api/problem.ts'

/** What a reader is told when a request failed. `readAt`: from when the things are that are still shown. */
export function problemWords(error: Error, readAt: string | null = null): string {
  if (error instanceof OfflineError) {
    const why = error.hasNetwork ? 'The service does not answer.' : 'You are offline.'
    return readAt === null ? why : `${why} This is from ${readAt}.`
  }
  if (!(error instanceof ApiProblem)) return 'That did not work, and it is our fault.'
  const seconds = retrySeconds(error) ?? usualSeconds
  switch (error.status) {
    case 401:
      return 'Your session ended. Sign in; what you typed is kept.'
    case 403:
      return error.code === 'insufficient_scope' ? 'This key may only read.' : error.message
    case 404:
      return 'Not here, or not yours.'
    case 429:
      return `Too fast. Again in ${seconds} s.`
    case 503:
      return error.code === 'database_unavailable'
        ? `The database is away. We try again in ${seconds} s.`
        : `The service is busy. We try again in ${seconds} s.`
    default:
      if (error.status >= 500)
        return `That did not work, and it is our fault. Request id ${error.requestId ?? '—'}`
      return error.message
  }
}

/** After how long the page asks again by itself, as its words say; null: it does not. */
export function retrySeconds(error: Error): number | null {
  if (!(error instanceof ApiProblem) || (error.status !== 429 && error.status !== 503)) return null
  return error.retryAfterSeconds ?? usualSeconds
}

const usualSeconds = 5
