import type { CheckFinding, EndpointCheck } from '@posthorn/contract'
import { countOf, formatDuration } from '../format/numbers.ts'

/** A check's result in one sentence, and how good it is. */
export interface CheckWords {
  readonly tone: 'delivered' | 'failed' | 'exhausted'
  readonly headline: string
}

export function checkWords(check: EndpointCheck): CheckWords {
  const worst = check.findings.find(({ severity }) => severity === 'critical')
  if (worst !== undefined) return { tone: 'exhausted', headline: firstSentence(worst.message) }
  const took = totalMs(check)
  const good = [
    'Reached',
    ...(check.verifies === true ? ['verified', 'refused the forgery'] : []),
    ...(took === null ? [] : [formatDuration(took)]),
  ].join(', ')
  if (check.findings.length === 0) return { tone: 'delivered', headline: `${good}.` }
  const rest = countOf(check.findings.length, 'thing to look at', 'things to look at')
  return { tone: 'failed', headline: `${good}. ${rest}.` }
}

/** The time from the DNS query to the first byte of the answer; null without an answer. */
export function totalMs({ phases }: EndpointCheck): number | null {
  if (phases.first_byte_ms === null) return null
  return (phases.dns_ms ?? 0) + (phases.connect_ms ?? 0) + (phases.tls_ms ?? 0) + phases.first_byte_ms
}

/** The page or action of this dashboard that fixes a finding. */
export type CheckRemedy = 'change-url' | 'set-rate-limit' | 'show-code' | 'look-at-keys'

export function remedyFor({ code, message }: CheckFinding): CheckRemedy | null {
  switch (code) {
    case 'accepts_wrong_signature':
      return 'show-code'
    case 'refuses_right_signature':
      return 'look-at-keys'
    case 'dns_failed':
    case 'address_refused':
    case 'tls_name_mismatch':
    case 'redirect_refused':
    case 'response_malformed':
      return 'change-url'
    case 'status_not_2xx':
      return /\b429\b/.test(message) ? 'set-rate-limit' : /\b40[45]\b/.test(message) ? 'change-url' : null
    case 'slow':
    case 'certificate_ends_soon':
    case 'connect_refused':
    case 'connect_timeout':
    case 'tls_failed':
    case 'tls_expired':
    case 'connection_reset':
    case 'response_timeout':
    case 'request_timeout':
    case 'headers_too_large':
    case 'aborted_by_shutdown':
    case 'unknown':
      return null
  }
}

function firstSentence(message: string): string {
  return /^.+?[.!](?= |$)/.exec(message)?.[0] ?? message
}
