/** `Retry-After` in seconds, or null. Posthorn never sends it as a date. */
export function retryAfterSeconds(response: Response): number | null {
  const text = response.headers.get('retry-after') ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}
