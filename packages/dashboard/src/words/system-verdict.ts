import type { SystemHealth } from '@posthorn/contract'
import type { Tone } from '../components/verdict.tsx'
import { countOf, formatCount, formatDuration } from '../format/numbers.ts'
import { formatRate } from '../format/rate.ts'

export interface SystemVerdict {
  readonly tone: Tone
  readonly headline: string
  /** In the tab. */
  readonly title: string
  /** What follows, and where to look. */
  readonly advice: string | null
}

/** Beyond this a due delivery is late: dispatchers look every second, a slow endpoint has 15 s to answer. */
const lateSeconds = 60
const veryLateSeconds = 600
/** A process whose clock is further off than this signs nothing (receivers would refuse it). */
const skewMsMax = 60_000
const slowDatabaseMs = 250

/** Whether the post is moving, in a sentence; the gravest reason why not comes first. */
export function systemVerdict(health: SystemHealth): SystemVerdict {
  const { oldest_due_seconds: dueSeconds, database_ms: databaseMs, clock_skew_ms: skewMs } = health
  if (Math.abs(skewMs) > skewMsMax) {
    return {
      tone: 'exhausted',
      headline: `Nothing is signed: this server’s clock is ${formatDuration(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the database’s.`,
      title: 'Clock',
      advice: 'Set the clock, by NTP for instance. What waits then goes by itself.',
    }
  }
  if (dueSeconds > lateSeconds) {
    return {
      tone: dueSeconds > veryLateSeconds ? 'exhausted' : 'failed',
      headline: `The post is late: the oldest due delivery waits for ${formatDuration(dueSeconds * 1_000)}.`,
      title: 'Late',
      advice: lateAdvice(health),
    }
  }
  if (health.maintenance.state === 'stopped') {
    return {
      tone: 'failed',
      headline: 'Deliveries go out, but maintenance is stopped: the database’s clock is in doubt.',
      title: 'Maintenance stopped',
      advice: 'Nothing is deleted by age meanwhile. System says what the clock reads and what to do.',
    }
  }
  if (databaseMs > slowDatabaseMs) {
    return {
      tone: 'failed',
      headline: `The post is moving, and the database is slow: ${formatDuration(databaseMs)} for one round trip.`,
      title: 'Slow database',
      advice: 'Look at its load, its disk, and the network between.',
    }
  }
  return { tone: 'delivered', headline: movingWords(health), title: 'Moving', advice: endpointWords(health) }
}

function movingWords(health: SystemHealth): string {
  const { accepted_per_second: accepted, delivered_per_second: delivered, waiting } = health
  if (accepted === 0 && delivered === 0) {
    return waiting === 0
      ? 'All is delivered; nothing came in the last minute.'
      : `Nothing is late. ${countOf(waiting, 'delivery waits', 'deliveries wait')} for a later try.`
  }
  return `The post is moving: ${formatRate(accepted)} accepted, ${formatRate(delivered)} delivered, nothing is late.`
}

/** Late with attempts under way is too little room; late without any, nobody is sending. */
function lateAdvice({ in_flight: inFlight, waiting }: SystemHealth): string {
  if (inFlight === 0) return 'No attempt is under way: look whether a dispatcher runs, under System.'
  return `${countOf(inFlight, 'attempt is', 'attempts are')} under way and ${formatCount(waiting)} wait: start another dispatcher, or look for slow endpoints below.`
}

function endpointWords({ failing_endpoints: failing, disabled_endpoints: disabled }: SystemHealth): string {
  const fails = failing === 0 ? 'No endpoint fails' : countOf(failing, 'endpoint fails', 'endpoints fail')
  return disabled === 0 ? `${fails}.` : `${fails}, ${countOf(disabled, 'is', 'are')} disabled or paused.`
}
