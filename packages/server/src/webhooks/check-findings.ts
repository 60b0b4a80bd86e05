import type { CheckFinding } from '@posthorn/contract'
import type { Exchange } from '../context.ts'
import { type CheckLimits, endingCertificate, slowAnswer } from './check-warnings.ts'

/** The findings about an endpoint from the two requests of a check. */
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
 * Whether the endpoint refuses the wrong signature and accepts the right one. Null if it refused both or did not answer,
 * because there may be another reason.
 */
export function verifiesSignatures(wrong: Exchange, right: Exchange | null): boolean | null {
  if (wrong.outcome === 'success') return false
  return wrong.statusCode !== null && right?.outcome === 'success' ? true : null
}

/** Statuses that receivers use for a wrong signature. */
const signatureRefusals = new Set([400, 401, 403])

function refusal({ code, message }: NonNullable<Exchange['error']>, status: number | null): CheckFinding {
  if (status === null || !signatureRefusals.has(status)) return { code, severity: 'critical', message }
  return {
    code: 'refuses_right_signature',
    severity: 'critical',
    message: `Your server answered ${status} to a request with a valid signature. Check that it has the full secret of this endpoint, that it verifies the raw bytes of the body, and that its clock is right.`,
  }
}
