import type { Exchange } from '../context.ts'

export interface CheckLimits {
  readonly nowMs: number
  /** Wall clock for one attempt. */
  readonly timeoutMs: number
}

interface CheckWarning<Code extends string> {
  code: Code
  severity: 'warning'
  message: string
}

/** From this share of the time that an attempt has, a busy hour is enough to make it fail. */
const slowShare = 0.5

const dayMs = 86_400_000
const certificateDays = 14

/** That an answer took so long that it may come too late one day; nothing if it did not. */
export function slowAnswer(durationMs: number, { timeoutMs }: CheckLimits): CheckWarning<'slow'>[] {
  if (durationMs <= timeoutMs * slowShare) return []
  const took = (durationMs / 1_000).toFixed(1)
  const message = `It answers in ${took} s of ${timeoutMs / 1_000} s. Answer first, work afterwards.`
  return [{ code: 'slow', severity: 'warning', message }]
}

/** That a certificate ends within two weeks; nothing if it does not. */
export function endingCertificate(
  certificate: Exchange['certificate'],
  { nowMs }: CheckLimits,
): CheckWarning<'certificate_ends_soon'>[] {
  if (certificate === null) return []
  const days = Math.floor((certificate.validUntilMs - nowMs) / dayMs)
  if (days >= certificateDays || days < 0) return []
  const when = days === 0 ? 'today' : days === 1 ? 'in 1 day' : `in ${days} days`
  const message = `The certificate ends ${when}. Renew it, or deliveries will fail from then on.`
  return [{ code: 'certificate_ends_soon', severity: 'warning', message }]
}
