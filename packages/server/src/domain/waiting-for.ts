/** What a delivery waits for. */
export type WaitingReason = 'disabled' | 'retry' | 'drain' | 'rate_limit' | 'backlog' | 'capacity'

/** What decides when an unfinished delivery is sent. Times are in milliseconds since the epoch. */
export interface WaitingFacts {
  nowMs: number
  dueAtMs: number
  /** A process has claimed it. */
  isHeld: boolean
  isEnabled: boolean
  isDraining: boolean
  rateLimitPerSecond: number | null
  /** The token bucket after the last claim. */
  bucketTokens: number
  bucketAtMs: number
  /** Whether other deliveries of the endpoint go first, or are being sent. */
  isBehind: boolean
  /** How many: no more than `aheadMax` are counted. Null if nobody counted. */
  ahead: { queued: number; held: number } | null
  /** Attempts at the endpoint in the last minutes; null if unknown. */
  attemptsPerSecond: number | null
}

export interface Waiting {
  reason: WaitingReason
  ahead: number | null
  /** When the next attempt probably starts; null if unknown. Never in the past. */
  estimatedAtMs: number | null
}

export interface WaitingLimits {
  /** The pace of an endpoint that was enabled again. */
  drainPerSecond: number
  /** So many deliveries ahead mean so many or more. */
  aheadMax: number
}

/** How long an unused token lies in the bucket before something else than the limit must be the cause. */
const tokenUnusedMs = 1_000

/** Decides what an unfinished delivery waits for; null if it is being sent. */
export function waitingFor(facts: WaitingFacts, { drainPerSecond, aheadMax }: WaitingLimits): Waiting | null {
  if (facts.isHeld) return null
  if (!facts.isEnabled) return { reason: 'disabled', ahead: null, estimatedAtMs: null }
  const ahead = facts.ahead === null ? null : Math.min(aheadMax, facts.ahead.queued + facts.ahead.held)
  const known = facts.ahead !== null && facts.ahead.queued < aheadMax ? facts.ahead : null
  const limit = limitOf(facts, drainPerSecond)
  if (facts.dueAtMs > facts.nowMs) {
    // older deliveries may keep it longer
    const free = limit === null ? null : afterTokens(facts, known, limit.perSecond)
    return { reason: 'retry', ahead, estimatedAtMs: Math.max(facts.dueAtMs, free ?? facts.dueAtMs) }
  }
  if (limit !== null && isUsedUp(facts, limit.perSecond)) {
    return { reason: limit.reason, ahead, estimatedAtMs: afterTokens(facts, known, limit.perSecond) }
  }
  if (facts.isBehind) return { reason: 'backlog', ahead, estimatedAtMs: atRecentPace(facts, known) }
  return { reason: 'capacity', ahead, estimatedAtMs: null }
}

/** The lower of the endpoint's rate limit and the drain rate, if it has one of them. */
function limitOf(
  { rateLimitPerSecond, isDraining }: WaitingFacts,
  drainPerSecond: number,
): { reason: 'drain' | 'rate_limit'; perSecond: number } | null {
  if (isDraining && drainPerSecond < (rateLimitPerSecond ?? Number.POSITIVE_INFINITY)) {
    return { reason: 'drain', perSecond: drainPerSecond }
  }
  return rateLimitPerSecond === null ? null : { reason: 'rate_limit', perSecond: rateLimitPerSecond }
}

/** Whether the last claim used the last token, and the next one is not there yet or has only just come. */
function isUsedUp({ nowMs, bucketTokens, bucketAtMs }: WaitingFacts, perSecond: number): boolean {
  return bucketTokens < 1 && nowMs <= nextTokenMs({ bucketTokens, bucketAtMs }, perSecond) + tokenUnusedMs
}

function nextTokenMs(
  { bucketTokens, bucketAtMs }: Pick<WaitingFacts, 'bucketTokens' | 'bucketAtMs'>,
  perSecond: number,
): number {
  return bucketAtMs + ((1 - bucketTokens) / perSecond) * 1_000
}

/** When the bucket has had a token for each delivery ahead and for this one. */
function afterTokens(facts: WaitingFacts, ahead: WaitingFacts['ahead'], perSecond: number): number | null {
  if (ahead === null) return null
  return Math.max(facts.nowMs, nextTokenMs(facts, perSecond) + (ahead.queued / perSecond) * 1_000)
}

function atRecentPace(
  { nowMs, attemptsPerSecond: perSecond }: WaitingFacts,
  ahead: WaitingFacts['ahead'],
): number | null {
  if (ahead === null || perSecond === null || perSecond <= 0) return null
  return nowMs + ((ahead.queued + ahead.held) / perSecond) * 1_000
}
