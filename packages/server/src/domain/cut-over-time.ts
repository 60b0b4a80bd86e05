const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** At midnight a new day's partitions are used, and soon after it the oldest are dropped. */
const beforeMidnightMs = 3 * minuteMs
const afterMidnightMs = 15 * minuteMs

/** How long to wait before an account may be handed over to another shard: never around midnight UTC. */
export function msUntilCutOver(nowMs: number): number {
  const ofDayMs = nowMs % dayMs
  if (ofDayMs < afterMidnightMs) return afterMidnightMs - ofDayMs
  return ofDayMs < dayMs - beforeMidnightMs ? 0 : dayMs - ofDayMs + afterMidnightMs
}
