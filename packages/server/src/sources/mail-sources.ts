import { type MailSourceKind, mailSourceKinds, type System } from '@posthorn/contract'
import type { Clock } from '../context.ts'
import { quotedArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'

/** Notes that a source has reported. The time that it leaves in the database is at most a minute old. */
export type NoteReport = (kind: MailSourceKind) => Promise<void>

const everyMs = 60_000

/** Writes at most once a minute for each source, because all processes would wait for the lock on its row. */
export function openReportNotes(db: Queryable, clock: Pick<Clock, 'monotonicMs'>): NoteReport {
  const notedAtMs = new Map<MailSourceKind, number>()
  return async kind => {
    const nowMs = clock.monotonicMs()
    if (nowMs - (notedAtMs.get(kind) ?? Number.NEGATIVE_INFINITY) < everyMs) return
    await db.query(
      `insert into mail_source (kind, last_at) values ($1, now())
       on conflict (kind) do update set last_at = now() where mail_source.last_at < now()`,
      [kind],
    )
    notedAtMs.set(kind, nowMs)
  }
}

/** The sources that have reported, those with the latest report first. */
export async function listMailSources(db: Queryable): Promise<System['mail_sources']> {
  const rows = await db.query<{ kind: MailSourceKind; last_at: Date }>(
    // another row says when a source last reported a delivery
    'select kind, last_at from mail_source where kind = any($1::text[]) order by last_at desc, kind',
    [quotedArray(mailSourceKinds)],
  )
  return rows.map(({ kind, last_at }) => ({ kind, last_at: last_at.toISOString() }))
}
