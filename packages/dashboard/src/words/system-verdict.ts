import type { SystemHealth } from '@posthorn/contract'
import { healthLimits } from '@posthorn/contract/plain'
import type { Tone } from '../components/verdict.tsx'
import { countOf, formatCount, formatDuration, formatSpan } from '../format/numbers.ts'
import { formatRate } from '../format/rate.ts'

export interface SystemVerdict {
  readonly tone: Tone
  readonly headline: string
  /** For the tab's title. */
  readonly title: string
  /** What follows, and what to check. */
  readonly advice: string | null
}

const veryLateSeconds = 600
/** A process with a larger clock difference signs nothing, because receivers would refuse it. */
const skewMsMax = 60_000

/**
 * Whether deliveries are on time, in a sentence; the most serious problem comes first. For the problems with an alert in
 * deploy/prometheus-rules.yaml, it is the sentence of the alert.
 */
export function systemVerdict(health: SystemHealth): SystemVerdict {
  const { oldest_due_seconds: dueSeconds, database_ms: databaseMs, clock_skew_ms: skewMs } = health
  const down = (health.shards ?? []).filter(({ state }) => state === 'down')
  if (down.length > 0) {
    return {
      tone: 'exhausted',
      headline: `${down.map(({ number }) => `Shard ${number}`).join(', ')} ${down.length === 1 ? 'does' : 'do'} not answer.`,
      title: 'Shard down',
      advice: `${down.map(({ problem }) => problem).join(' ')} The accounts of all other shards work.`,
    }
  }
  if (Math.abs(skewMs) > skewMsMax) {
    return {
      tone: 'exhausted',
      headline: `Nothing is signed: this server’s clock is ${formatDuration(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the database’s.`,
      title: 'Clock',
      advice: 'Set the clock, for example with NTP. We then send the waiting deliveries.',
    }
  }
  if (Math.abs(skewMs) > healthLimits.clockSkewMs) {
    return {
      tone: 'failed',
      headline: `The clocks of this process and its database differ by ${formatDuration(Math.abs(skewMs))}; at 60 s it stops sending.`,
      title: 'Clock',
      advice: 'Set the clock, for example with NTP.',
    }
  }
  if (health.unsettled > healthLimits.unsettledResults) {
    return {
      tone: 'failed',
      headline: `Posthorn has ${formatCount(health.unsettled)} results that the database has not stored.`,
      title: 'Results not stored',
      advice:
        'If the process ends now, receivers get these events again. Check the database, its disk and the network.',
    }
  }
  if (dueSeconds > healthLimits.oldestDueSeconds) {
    return {
      tone: dueSeconds > veryLateSeconds ? 'exhausted' : 'failed',
      headline: `Deliveries are late: one could have been sent ${formatDuration(dueSeconds * 1_000)} ago.`,
      title: 'Late',
      advice: lateAdvice(health),
    }
  }
  if (health.maintenance.state === 'stopped') {
    return {
      tone: 'failed',
      headline:
        'The database’s clock may be wrong: Posthorn deletes nothing by age until you correct or confirm it.',
      title: 'Maintenance stopped',
      advice: 'Deliveries go out. The System page shows the clock and what to do.',
    }
  }
  if (databaseMs > healthLimits.databaseMs) {
    return {
      tone: 'failed',
      headline: `The database is slow: ${formatDuration(databaseMs)} for one round trip.`,
      title: 'Slow database',
      advice: 'Deliveries are on time. Check its load, its disk and the network.',
    }
  }
  if (health.mail.message !== null) {
    return {
      tone: 'failed',
      headline: health.mail.message,
      title: 'Mail waits',
      advice: 'Deliveries are on time. Check the mail server; we keep the emails and try again.',
    }
  }
  const certificate = certificateWords(health)
  if (certificate !== null) {
    return {
      tone: 'failed',
      headline: certificate,
      title: 'Mail certificate',
      advice: 'Deliveries are on time. Renew the certificate of the mail server.',
    }
  }
  return { tone: 'delivered', headline: movingWords(health), title: 'On time', advice: endpointWords(health) }
}

/** Null if the mail server's certificate is unknown or valid for long enough. */
function certificateWords({ mail, maintenance }: SystemHealth): string | null {
  if (mail.certificate_expires_at === null) return null
  const leftMs = Date.parse(mail.certificate_expires_at) - Date.parse(maintenance.database_clock)
  if (leftMs > healthLimits.mailCertificateMs) return null
  return leftMs > 0
    ? `The mail server’s certificate expires in ${formatSpan(leftMs)}; then it gets no mail.`
    : 'The mail server’s certificate has expired: it gets no mail.'
}

function movingWords(health: SystemHealth): string {
  const { accepted_per_second: accepted, delivered_per_second: delivered, waiting } = health
  if (accepted === 0 && delivered === 0) {
    return waiting === 0
      ? 'All events are delivered. None came in the last minute.'
      : `Nothing is late. ${countOf(waiting, 'delivery waits', 'deliveries wait')} for a later attempt.`
  }
  return `Deliveries are on time: ${formatRate(accepted)} accepted, ${formatRate(delivered)} delivered.`
}

/** With attempts under way, capacity is short; without any, no dispatcher runs. */
function lateAdvice({ in_flight: inFlight, waiting }: SystemHealth): string {
  if (inFlight === 0) return 'No attempt is under way. Check on the System page whether a dispatcher runs.'
  return `${countOf(inFlight, 'attempt is', 'attempts are')} under way and ${countOf(waiting, 'delivery waits', 'deliveries wait')}. Start another dispatcher, or look for slow endpoints below.`
}

const namedMax = 3

function endpointWords(health: SystemHealth): string {
  const { failing_endpoints: failing, disabled_endpoints: disabled } = health
  const fails =
    failing === 0 ? 'No endpoint is failing' : countOf(failing, 'endpoint fails', 'endpoints fail')
  const off = disabled === 0 ? '' : `, ${countOf(disabled, 'is', 'are')} disabled`
  const hosts = health.worst.filter(({ state }) => state === 'failing').map(({ url_host: host }) => host)
  if (failing === 0 || hosts.length === 0) return `${fails}${off}.`
  const more = failing > namedMax ? ' and others' : ''
  return `${fails}${off}. Failing: ${hosts.slice(0, namedMax).join(', ')}${more}.`
}
