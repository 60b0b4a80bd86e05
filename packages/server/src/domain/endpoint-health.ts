/** The facts that the database stores about an endpoint's failures. Times are in milliseconds since the epoch. */
export interface HealthFacts {
  status: 'enabled' | 'disabled'
  disabledReason: 'manual' | 'gone' | 'failing' | null
  /** Failed attempts since the last success. */
  failuresInRow: number
  /** When the first of these attempts failed. */
  failingSinceMs: number | null
  /** When the first delivery since the last success used up its retries. */
  exhaustedSinceMs: number | null
  warnedExhaustedAtMs: number | null
  warnedHalfTimeAtMs: number | null
  disabledToldAtMs: number | null
}

export type HealthStep = 'recovered' | 'disable' | 'tell_gone' | 'warn_exhausted' | 'warn_half_time'

/** An endpoint with fewer failures is never disabled, because the cause may be one bad event. */
const disableAttemptsMin = 20

/**
 * The next step for an endpoint, or null. Call it again after each step, because the step changes the facts.
 * @param nowMs null if the clock cannot be trusted: then the failing time does not count
 */
export function nextHealthStep(
  facts: HealthFacts,
  disableAfterMs: number,
  nowMs: number | null,
): HealthStep | null {
  if (facts.status === 'disabled') {
    return facts.disabledReason === 'gone' && facts.disabledToldAtMs === null ? 'tell_gone' : null
  }
  if (isRecovered(facts)) return 'recovered'
  const { failingSinceMs } = facts
  if (failingSinceMs === null) return null
  const failingMs = nowMs === null ? 0 : nowMs - failingSinceMs
  if (failingMs >= disableAfterMs && facts.failuresInRow >= disableAttemptsMin) return 'disable'
  if (isNew(facts.exhaustedSinceMs, facts.warnedExhaustedAtMs)) return 'warn_exhausted'
  if (failingMs >= disableAfterMs / 2 && isNew(failingSinceMs, facts.warnedHalfTimeAtMs)) {
    return 'warn_half_time'
  }
  return null
}

/** The earliest time at which a failing endpoint will be disabled. */
export function disablesAtMs(
  facts: Pick<HealthFacts, 'status' | 'failingSinceMs'>,
  disableAfterMs: number,
): number | null {
  if (facts.status === 'disabled' || facts.failingSinceMs === null) return null
  return facts.failingSinceMs + disableAfterMs
}

/** Facts about an endpoint's traffic. */
export interface TrafficFacts {
  /** When the latest attempt ended; null if there was none. */
  lastAttemptAtMs: number | null
  /** When the latest successful attempt ended; null if there was none. */
  lastSuccessAtMs: number | null
  /** The usual number of finished deliveries per day; null if the endpoint is younger than a day. */
  usualPerDay: number | null
  /** The failed share of the attempts before `failingSinceMs`; 0 if there were none. */
  failedShareBefore: number
  isDegraded: boolean
}

type StateFacts = Pick<HealthFacts, 'status' | 'failuresInRow' | 'failingSinceMs'> & TrafficFacts

/** The health of an endpoint in one word. */
export function healthState(
  facts: StateFacts,
  nowMs: number,
): 'disabled' | 'failing' | 'degraded' | 'new' | 'quiet' | 'healthy' {
  if (facts.status === 'disabled') return 'disabled'
  if (isFailing(facts)) return 'failing'
  if (facts.isDegraded) return 'degraded'
  if (facts.lastAttemptAtMs === null) return 'new'
  const isQuiet = nowMs - facts.lastAttemptAtMs >= quietAfterMs
  return isQuiet && (facts.usualPerDay ?? 0) >= quietUsualMin ? 'quiet' : 'healthy'
}

/**
 * Whether failures in a row mean that the endpoint does not work at all. If it has never worked, one is enough. Otherwise,
 * nothing has succeeded for an hour, or the row is too long to be chance: an endpoint that fails 30% of attempts often fails
 * three in a row. Elapsed time alone changes nothing, so the state stays while nothing is sent.
 */
function isFailing(facts: StateFacts): boolean {
  const { failingSinceMs, failuresInRow, lastAttemptAtMs, lastSuccessAtMs, failedShareBefore } = facts
  if (failingSinceMs === null) return false
  if (lastSuccessAtMs === null) return true
  if (failuresInRow < failuresMin) return false
  const lastedMs = (lastAttemptAtMs ?? failingSinceMs) - failingSinceMs
  return lastedMs >= hourMs || (lastedMs >= minuteMs && failedShareBefore ** failuresInRow < chanceMax)
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** A receiver that restarts fails fewer, or for less than a minute. */
const failuresMin = 3
const chanceMax = 1e-6

/** How long an endpoint must have had no attempt to be `quiet`. */
const quietAfterMs = 3 * 86_400_000
/** How many deliveries per day an endpoint must usually have to be `quiet`. */
const quietUsualMin = 1

/** An attempt has succeeded since the last warning, even if the endpoint now fails again. */
function isRecovered({ failingSinceMs, warnedExhaustedAtMs, warnedHalfTimeAtMs }: HealthFacts): boolean {
  const warnedAtMs = Math.max(warnedExhaustedAtMs ?? 0, warnedHalfTimeAtMs ?? 0)
  return warnedAtMs > 0 && (failingSinceMs === null || failingSinceMs > warnedAtMs)
}

/** It happened after the last warning. */
function isNew(happenedAtMs: number | null, warnedAtMs: number | null): boolean {
  return happenedAtMs !== null && (warnedAtMs === null || warnedAtMs < happenedAtMs)
}
