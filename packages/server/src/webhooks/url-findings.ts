import type { UrlCheckFinding } from '@posthorn/contract'
import type { Exchange } from '../context.ts'
import { type CheckLimits, endingCertificate, slowAnswer } from './check-warnings.ts'

/**
 * The findings of a HEAD request to a URL. It ignores 404 and 405, because the receiver may accept only POST. Redirects and
 * server errors are only warnings, because a POST may succeed.
 */
export function urlFindings(exchange: Exchange, limits: CheckLimits): UrlCheckFinding[] {
  const { error, statusCode, durationMs, certificate } = exchange
  const findings: UrlCheckFinding[] = []
  if (error !== null && statusCode === null) findings.push({ ...error, severity: 'critical' })
  if (error !== null && statusCode !== null && (statusCode < 400 || statusCode >= 500)) {
    findings.push({ ...error, severity: 'warning' })
  }
  if (statusCode !== null)
    findings.push(...slowAnswer(durationMs, limits), ...endingCertificate(certificate, limits))
  return findings
}
