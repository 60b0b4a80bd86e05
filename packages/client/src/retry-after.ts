/** The answer's `Retry-After` in seconds; null when there is none, or a date, which Posthorn never sends. */
export function retryAfterSeconds(response: Response): number | null {
  const text = response.headers.get('retry-after') ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}
