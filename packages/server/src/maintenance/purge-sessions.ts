import type { Queryable } from '../db/database.ts'
import { sessionLimits } from '../domain/session-limits.ts'

const dayMs = 86_400_000

/** How long ended portal sessions stay in the list. */
const portalListedMs = 30 * dayMs

/**
 * Deletes ended sessions, and portal sessions that ended 30 days ago.
 * @param nowMs from the maintenance gate
 */
export async function purgeSessions(db: Queryable, nowMs: number): Promise<{ purged: number }> {
  const before = (agoMs: number): string => new Date(nowMs - agoMs).toISOString()
  const sessions = await db.query(
    `delete from session
     where expires_at <= $1::timestamptz
        or last_seen_at <= case kind when 'operator' then $2::timestamptz else $3::timestamptz end
     returning 1 as one`,
    [before(0), before(sessionLimits.operator.idleMs), before(sessionLimits.account.idleMs)],
  )
  const portals = await db.query(
    'delete from portal_session where expires_at <= $1::timestamptz returning 1 as one',
    [before(portalListedMs)],
  )
  return { purged: sessions.length + portals.length }
}
