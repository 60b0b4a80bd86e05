import type { CheckFinding } from '@posthorn/contract'
import type { Exchange } from '../context.ts'

/** What the two requests of a check say about the endpoint, in words for its owner. */
export function checkFindings(wrong: Exchange, right: Exchange | null, timeoutMs: number): CheckFinding[] {
  const findings: CheckFinding[] = []
  if (wrong.outcome === 'success') {
    findings.push({
      code: 'accepts_wrong_signature',
      severity: 'critical',
      message:
        'The endpoint accepted a request that was signed with a wrong secret: anybody who knows its URL can send it events. Verify X-Service-Signature before the body is parsed, and answer 401 when it does not match.',
    })
  }
  const trouble = right === null ? wrong.error : right.error
  if (trouble !== null) findings.push(refusal(trouble, right?.statusCode ?? null))
  const slowestMs = Math.max(wrong.durationMs, right?.durationMs ?? 0)
  if (trouble === null && slowestMs > timeoutMs * slowShare) findings.push(slow(slowestMs, timeoutMs))
  return findings
}

/**
 * Whether it refuses what is wrongly signed and takes what is right. Null when it refused both or gave no answer:
 * then the signature may not be why.
 */
export function verifiesSignatures(wrong: Exchange, right: Exchange | null): boolean | null {
  if (wrong.outcome === 'success') return false
  return wrong.statusCode !== null && right?.outcome === 'success' ? true : null
}

/** From this share of the time that an attempt has, a busy hour is enough to make it fail. */
const slowShare = 0.5

/** Statuses by which a receiver says that it does not believe who sent the request. */
const unbelievingStatuses = new Set([400, 401, 403])

function refusal({ code, message }: NonNullable<Exchange['error']>, status: number | null): CheckFinding {
  if (status === null || !unbelievingStatuses.has(status)) return { code, severity: 'critical', message }
  return {
    code: 'refuses_right_signature',
    severity: 'critical',
    message: `The endpoint answered ${status} to a rightly signed request. Check that it has this endpoint’s whole secret, verifies the raw bytes of the body, and that its clock is right.`,
  }
}

function slow(durationMs: number, timeoutMs: number): CheckFinding {
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
  return {
    code: 'slow',
    severity: 'warning',
    message: `The endpoint took ${seconds(durationMs)} seconds to answer; after ${seconds(timeoutMs)} an attempt has failed. Answer first, work afterwards.`,
  }
}
