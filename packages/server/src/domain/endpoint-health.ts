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
  /** The usual number of finished deliveries per day; null if the endpoint is younger than a day. */
  usualPerDay: number | null
}

/** The health of an endpoint in one word. */
export function healthState(
  facts: Pick<HealthFacts, 'status' | 'failingSinceMs'> & TrafficFacts,
  nowMs: number,
): 'disabled' | 'failing' | 'new' | 'quiet' | 'healthy' {
  if (facts.status === 'disabled') return 'disabled'
  if (facts.failingSinceMs !== null) return 'failing'
  if (facts.lastAttemptAtMs === null) return 'new'
  const isQuiet = nowMs - facts.lastAttemptAtMs >= quietAfterMs
  return isQuiet && (facts.usualPerDay ?? 0) >= quietUsualMin ? 'quiet' : 'healthy'
}

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
