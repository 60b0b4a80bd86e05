const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Longer than a cut-over can take before it gives up. */
const beforeMidnightMs = 10 * minuteMs
/**
 * Within ten minutes of midnight, each shard gives up what still waits of the oldest day. Both would count it if an account
 * was handed over at that time.
 */
const afterMidnightMs = 15 * minuteMs

/** How long to wait before an account or a shard may stand still: never around midnight UTC. Zero if it may now. */
export function msUntilCutOver(nowMs: number): number {
  const ofDayMs = nowMs % dayMs
  if (ofDayMs < afterMidnightMs) return afterMidnightMs - ofDayMs
  return ofDayMs < dayMs - beforeMidnightMs ? 0 : dayMs - ofDayMs + afterMidnightMs
}
