const hourMs = 3_600_000

/** How long a session lives: without being used, and in all. */
export const sessionLimits = {
  account: { idleMs: 12 * hourMs, absoluteMs: 7 * 24 * hourMs },
  operator: { idleMs: hourMs, absoluteMs: 12 * hourMs },
  // a portal session ends with its link, which says when
  portal: { idleMs: 12 * hourMs, absoluteMs: 24 * hourMs },
} as const

/** When it ends if nothing is asked any more. */
export function idleEndMs(
  kind: keyof typeof sessionLimits,
  { lastSeenAt, expiresAt }: { lastSeenAt: Date; expiresAt: Date },
): number {
  return Math.min(lastSeenAt.getTime() + sessionLimits[kind].idleMs, expiresAt.getTime())
}
