import type { Queryable } from '../db/database.ts'
import { waitAgain } from '../domain/wait-again.ts'

/**
 * With the embedded database nobody else can be at work: what an earlier process held when it died is free at once,
 * and bears the mark of it. Scheduled retries keep their time.
 */
export async function freeOwnLeases(db: Queryable): Promise<{ freed: number }> {
  const ofEarlierRelease = await db.query(
    `update waiting set taken_by = null, due_at = now(), lost_claims = lost_claims + 1
     where taken_by is not null
     returning 1 as freed`,
  )
  await db.query('select dissolve_holds(array(select id from hold))')
  const rows = await db.query(
    `with held as (delete from taken returning *)
     ${waitAgain('held', 'now()', 'lost_claims + 1')}
     returning 1 as freed`,
  )
  const handovers = await db.query(
    `update handover set taken_by = null, due_at = now() where taken_by is not null
     returning 1 as freed`,
  )
  return { freed: ofEarlierRelease.length + rows.length + handovers.length }
}
