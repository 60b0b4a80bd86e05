import { retryAfterSeconds } from './retry-after.ts'

/** How a call is sent and how long one goes on trying. */
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

/** Whoever is asked to wait longer than this is told so instead. */
const waitSecondsMax = 30

/** Sends a request; a safe one again after 429 and 503, when the service said so or after a second. */
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
    // nobody reads it, and its connection is wanted
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
