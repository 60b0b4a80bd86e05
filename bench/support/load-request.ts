import type { LoadPlan } from './load-plan.ts'
import { outcome } from './outcome.ts'

/** Returns the next request as text, with outcomes that are due at `dueAtMs` (epoch milliseconds). */
export type NextRequest = (dueAtMs: number) => string

export function nextRequest(plan: LoadPlan): NextRequest {
  const { credentials, accountIds, outcomesPerRequest = 1 } = plan
  const { host } = new URL(plan.url)
  const heads = credentials.map(
    credential =>
      `POST ${plan.path ?? '/v1/outcomes'} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${credential}\r\n` +
      'Content-Type: application/json\r\nContent-Length: ',
  )
  let requests = 0
  let n = plan.firstOutcome ?? 0
  const nextOutcome = (dueAtMs: number): object => {
    const account = accountIds && { account_id: accountIds[n % accountIds.length] }
    return { ...account, ...outcome(n++, dueAtMs) }
  }
  return dueAtMs => {
    const head = heads[requests++ % heads.length]
    const json =
      outcomesPerRequest === 1
        ? nextOutcome(dueAtMs)
        : Array.from({ length: outcomesPerRequest }, () => nextOutcome(dueAtMs))
    // the text is ASCII, so its length in bytes equals its length in characters
    const body = JSON.stringify(json)
    return `${head}${body.length}\r\n\r\n${body}`
  }
}
