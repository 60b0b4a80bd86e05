import type { Ctx } from '../context.ts'

/**
 * Notes that a source reports deliveries, so that an email that is only handed over can still be expected to change.
 * To the minute: it must not cost a write for every report.
 */
export async function noteSource({ db }: Pick<Ctx, 'db'>, kind: 'postfix' | 'kumomta'): Promise<void> {
  await db.query(
    `insert into mail_source (kind, last_at) values ($1, now())
     on conflict (kind) do update set last_at = excluded.last_at
     where mail_source.last_at < excluded.last_at - interval '1 minute'`,
    [kind],
  )
}
