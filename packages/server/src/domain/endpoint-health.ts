/** What the database knows of an endpoint's failures. Times in milliseconds since the epoch. */
export interface HealthFacts {
  status: 'enabled' | 'disabled'
  disabledReason: 'manual' | 'gone' | 'failing' | null
  /** Failed attempts since the last success. */
  failuresInRow: number
  /** When the first of them failed. */
  failingSinceMs: number | null
  /** When the first delivery since the last success used up its retries. */
  exhaustedSinceMs: number | null
  warnedExhaustedAtMs: number | null
  warnedHalfTimeAtMs: number | null
  disabledToldAtMs: number | null
}

export type HealthStep = 'recovered' | 'disable' | 'tell_gone' | 'warn_exhausted' | 'warn_half_time'

/** An endpoint with less traffic than this is left enabled however long it fails: it may be one bad event. */
const disableAttemptsMin = 20

/**
 * What is to be done next about an endpoint (decisions §6); null when nothing is. Once that is done the facts are
 * others, and the question is asked again.
 * @param nowMs null when the time is not to be trusted: then nothing follows from how long it has failed
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

/** When an endpoint that fails will be disabled, at the earliest. */
export function disablesAtMs(
  facts: Pick<HealthFacts, 'status' | 'failingSinceMs'>,
  disableAfterMs: number,
): number | null {
  if (facts.status === 'disabled' || facts.failingSinceMs === null) return null
  return facts.failingSinceMs + disableAfterMs
}

/** What is known of an endpoint's traffic. */
export interface TrafficFacts {
  /** When the latest attempt ended; null when there never was one. */
  lastAttemptAtMs: number | null
  /** Deliveries that are finished a day, as a rule; null when the endpoint is younger than a day. */
  usualPerDay: number | null
}

/** How an endpoint fares, in a word. */
export function healthState(
  facts: Pick<HealthFacts, 'status' | 'failingSinceMs'> & TrafficFacts,
  nowMs: number,
): 'disabled' | 'failing' | 'new' | 'quiet' | 'healthy' {
  if (facts.status === 'disabled') return 'disabled'
  if (facts.failingSinceMs !== null) return 'failing'
  if (facts.lastAttemptAtMs === null) return 'new'
  const isSilent = nowMs - facts.lastAttemptAtMs >= quietAfterMs
  return isSilent && (facts.usualPerDay ?? 0) >= quietUsualMin ? 'quiet' : 'healthy'
}

/** Silence is told of when it lasts for so long, at an endpoint that is used to this much a day. */
const quietAfterMs = 3 * 86_400_000
const quietUsualMin = 1

/** A success has come after the last warning, whether or not it fails anew by now. */
function isRecovered({ failingSinceMs, warnedExhaustedAtMs, warnedHalfTimeAtMs }: HealthFacts): boolean {
  const warnedAtMs = Math.max(warnedExhaustedAtMs ?? 0, warnedHalfTimeAtMs ?? 0)
  return warnedAtMs > 0 && (failingSinceMs === null || failingSinceMs > warnedAtMs)
}

/** It happened, and nobody was warned since. */
function isNew(happenedAtMs: number | null, warnedAtMs: number | null): boolean {
  return happenedAtMs !== null && (warnedAtMs === null || warnedAtMs < happenedAtMs)
}
