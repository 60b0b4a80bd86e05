import type { UrlCheckFinding } from '@posthorn/contract'
import type { Exchange } from '../context.ts'
import { type CheckLimits, endingCertificate, slowAnswer } from './check-warnings.ts'

/**
 * What a HEAD request says about a URL. That it is answered with 404 or 405 says nothing: webhooks are posted. A redirect
 * or a failing server is a warning, because a POST may fare better.
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
