import type { Exchange } from '../context.ts'

export interface CheckLimits {
  readonly nowMs: number
  /** The time limit for one attempt. */
  readonly timeoutMs: number
}

interface CheckWarning<Code extends string> {
  code: Code
  severity: 'warning'
  message: string
}

/** An endpoint that needs this share of the time limit may fail under load. */
const slowShare = 0.5

const dayMs = 86_400_000
const certificateDays = 14

/** A warning if the answer took so long that it may exceed the time limit under load. */
export function slowAnswer(durationMs: number, { timeoutMs }: CheckLimits): CheckWarning<'slow'>[] {
  if (durationMs <= timeoutMs * slowShare) return []
  const took = (durationMs / 1_000).toFixed(1)
  const message = `The answer took ${took} s; the limit is ${timeoutMs / 1_000} s. Answer first, and process the event afterwards.`
  return [{ code: 'slow', severity: 'warning', message }]
}

/** A warning if the certificate expires within two weeks. */
export function endingCertificate(
  certificate: Exchange['certificate'],
  { nowMs }: CheckLimits,
): CheckWarning<'certificate_ends_soon'>[] {
  if (certificate === null) return []
  const days = Math.floor((certificate.validUntilMs - nowMs) / dayMs)
  if (days >= certificateDays || days < 0) return []
  const when = days === 0 ? 'today' : days === 1 ? 'in 1 day' : `in ${days} days`
  const message = `The certificate expires ${when}. Renew it, or deliveries will fail after that.`
  return [{ code: 'certificate_ends_soon', severity: 'warning', message }]
}
