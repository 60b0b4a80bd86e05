const hourMs = 3_600_000

/** How long a session lasts without being used, and in total. */
export const sessionLimits = {
  account: { idleMs: 12 * hourMs, absoluteMs: 7 * 24 * hourMs },
  operator: { idleMs: hourMs, absoluteMs: 12 * hourMs },
  // a portal session also ends with its link
  portal: { idleMs: 12 * hourMs, absoluteMs: 24 * hourMs },
} as const

/** When a session ends if it is not used again. */
export function idleEndMs(
  kind: keyof typeof sessionLimits,
  { lastSeenAt, expiresAt }: { lastSeenAt: Date; expiresAt: Date },
): number {
  return Math.min(lastSeenAt.getTime() + sessionLimits[kind].idleMs, expiresAt.getTime())
}
