import fc from 'fast-check'
import { type ApiRequest, apiRequests, type Asking } from './api-requests.ts'
import { askAll } from './ask.ts'
import { flawOf, type Secrets } from './flaw-of.ts'
import type { TwoAccounts } from './two-accounts.ts'

/** Requests are made in batches. Each batch has its own seed. */
const batch = 500

/**
 * Sends `count` generated requests to the service. Throws at the first invalid answer, with the seed that repeats the
 * request. Returns how often each status was answered.
 */
export async function askGenerated(
  { service, document }: TwoAccounts,
  asking: Asking,
  secrets: Secrets | null,
  { count, seed, atOnce }: { count: number; seed: number; atOnce: number },
): Promise<Map<number, number>> {
  const requests = apiRequests(document, asking)
  const statuses = new Map<number, number>()
  function* generated(): Iterable<ApiRequest> {
    for (let made = 0; made < count; made += batch) {
      yield* fc.sample(requests, { seed: seed + made, numRuns: Math.min(batch, count - made) })
    }
  }
  await askAll(service.url, generated(), atOnce, (request, answer) => {
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    const flaw = flawOf(request, answer, secrets)
    if (flaw === null) return
    throw new Error(
      `${flaw} (seed ${seed})\n${request.method} ${request.path}\n${JSON.stringify(request.headers)}\n` +
        `${request.body?.toString() ?? ''}\n→ ${answer.status} ${answer.text}`,
    )
  })
  return statuses
}
