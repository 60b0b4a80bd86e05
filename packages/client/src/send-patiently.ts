import { retryAfterSeconds } from './retry-after.ts'

/** How to send a call and how often to retry it. */
export interface Patience {
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  readonly retriesMax: number
}

interface PatientRequest {
  readonly url: string
  readonly init: RequestInit
  readonly signal: AbortSignal | undefined
}

/** If the service asks for a longer wait, the caller gets the response instead. */
const waitSecondsMax = 30

/** Sends a request. Retries a safe one after 429 and 503, when `Retry-After` has passed or after a second. */
export async function sendPatiently(
  { url, init, signal }: PatientRequest,
  isSafe: boolean,
  { fetch, timeoutMs, retriesMax }: Patience,
): Promise<Response> {
  for (let retriesLeft = isSafe ? retriesMax : 0; ; retriesLeft--) {
    const timeout = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, {
      ...init,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    const waitSeconds = retryAfterSeconds(response) ?? 1
    const isBusy = response.status === 429 || response.status === 503
    if (!isBusy || retriesLeft <= 0 || waitSeconds > waitSecondsMax) return response
    // frees the connection for the retry
    await response.body?.cancel()
    await wait(waitSeconds * 1_000, signal)
  }
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    if (signal?.aborted === true) giveUp()
    else signal?.addEventListener('abort', giveUp, { once: true })
  })
}
