import type { CheckFinding } from '@posthorn/contract'
import type { Exchange } from '../context.ts'
import { type CheckLimits, endingCertificate, slowAnswer } from './check-warnings.ts'

/** What the two requests of a check say about the endpoint, in words for its owner. */
export function checkFindings(wrong: Exchange, right: Exchange | null, limits: CheckLimits): CheckFinding[] {
  const findings: CheckFinding[] = []
  if (wrong.outcome === 'success') {
    findings.push({
      code: 'accepts_wrong_signature',
      severity: 'critical',
      message:
        'Your server accepted a request with a wrong signature. Anyone who knows the URL can send it events. Verify the signature before you read the body, and answer 401 when it does not match.',
    })
  }
  const trouble = right === null ? wrong.error : right.error
  if (trouble !== null) findings.push(refusal(trouble, right?.statusCode ?? null))
  const slowestMs = Math.max(wrong.durationMs, right?.durationMs ?? 0)
  if (trouble === null) findings.push(...slowAnswer(slowestMs, limits))
  findings.push(...endingCertificate((right ?? wrong).certificate, limits))
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

/** Statuses by which a receiver says that it does not believe who sent the request. */
const unbelievingStatuses = new Set([400, 401, 403])

function refusal({ code, message }: NonNullable<Exchange['error']>, status: number | null): CheckFinding {
  if (status === null || !unbelievingStatuses.has(status)) return { code, severity: 'critical', message }
  return {
    code: 'refuses_right_signature',
    severity: 'critical',
    message: `Your server answered ${status} to a rightly signed request. Check that it has this endpoint’s whole secret, verifies the raw bytes of the body, and that its clock is right.`,
  }
}
