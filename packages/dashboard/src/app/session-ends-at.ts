import type { Session } from '@posthorn/contract'

/** When the session data was loaded and when the service last accepted the session, in milliseconds since 1970. */
export interface SessionUse {
  readonly readAtMs: number
  readonly usedAtMs: number
}

export interface SessionEndsAt {
  readonly atMs: number
  /** An idle session ends; every request extends it. */
  readonly isIdle: boolean
}

/** When a session ends: at its limit, or earlier if it is idle for too long. */
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
