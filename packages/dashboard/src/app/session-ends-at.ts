import type { Session } from '@posthorn/contract'

/** When a session was told, and when the service last took it, in milliseconds since 1970. */
export interface SessionUse {
  readonly readAtMs: number
  readonly usedAtMs: number
}

export interface SessionEndsAt {
  readonly atMs: number
  /** It ends for lack of use: asking for anything puts it off. */
  readonly isIdle: boolean
}

/** When a session ends: at its limit, or before, as long after its last use as it may rest. */
export function sessionEndsAt(
  session: Pick<Session, 'expires_at' | 'idle_expires_at'>,
  { readAtMs, usedAtMs }: SessionUse,
): SessionEndsAt {
  const limitMs = Date.parse(session.expires_at)
  const idleMs = Date.parse(session.idle_expires_at)
  const restMs = Math.max(0, usedAtMs - readAtMs)
  const idleEndMs = Math.min(limitMs, idleMs + restMs)
  return { atMs: idleEndMs, isIdle: idleEndMs < limitMs }
}
