import type { UrlCheck, UrlCheckFinding } from '@posthorn/contract'
import type { Ctx, Exchange } from '../context.ts'
import { allowedUrl } from './allowed-url.ts'
import { phasesOf } from './check-phases.ts'
import { type CheckLimits, endingCertificate, slowAnswer } from './check-warnings.ts'
import { takeCheck } from './take-check.ts'

/**
 * Checks whether a server answers at a URL that is not an endpoint yet. It sends one HEAD request, which no receiver
 * mistakes for an event. It stores nothing, and reports redirects instead of following them.
 */
export async function checkUrl(ctx: Ctx, accountId: string, text: string): Promise<UrlCheck> {
  const url = allowedUrl(ctx, text)
  await takeCheck(ctx, accountId)
  const exchange = await ctx.outside.probe.head({ url, headers: ['User-Agent', ctx.outside.probe.userAgent] })
  const findings = urlFindings(exchange, { nowMs: ctx.clock.nowMs(), timeoutMs: ctx.outside.probe.timeoutMs })
  return {
    ok: !findings.some(finding => finding.severity === 'critical'),
    ...howFar(exchange),
    tls: tlsOf(exchange),
    status_code: exchange.statusCode,
    redirect_to: redirectTarget(exchange, url),
    phases: phasesOf(exchange),
    findings,
  }
}

/** A reused connection has no connect phase. */
function howFar({ error, phases, statusCode }: Exchange): Pick<UrlCheck, 'addresses_found' | 'connected'> {
  const code = statusCode === null ? error?.code : undefined
  if (code === 'dns_failed' || code === 'address_refused') return { addresses_found: false, connected: null }
  if (code === 'aborted_by_shutdown' && phases.dnsMs === null)
    return { addresses_found: null, connected: null }
  const isRefused = code === 'connect_refused' || code === 'connect_timeout'
  return { addresses_found: true, connected: phases.connectMs !== null || !isRefused }
}

function tlsOf({ certificate, phases, statusCode }: Exchange): UrlCheck['tls'] {
  const isSecured = phases.tlsMs !== null || statusCode !== null
  if (certificate === null || !isSecured) return null
  return { valid_until: new Date(certificate.validUntilMs).toISOString(), issuer: certificate.issuer }
}

function redirectTarget({ statusCode, responseHeaders }: Exchange, url: string): string | null {
  const location = responseHeaders?.['location']
  if (statusCode === null || statusCode < 300 || statusCode >= 400 || location === undefined) return null
  const target = URL.parse(location, url)
  return target !== null && /^https?:$/.test(target.protocol) ? target.href : null
}

/**
 * The findings of a HEAD request to a URL. It ignores 404 and 405, because the receiver may accept only POST. Redirects and
 * server errors are only warnings, because a POST may succeed.
 */
function urlFindings(exchange: Exchange, limits: CheckLimits): UrlCheckFinding[] {
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
