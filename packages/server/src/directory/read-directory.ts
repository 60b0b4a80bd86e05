import type { Ctx } from '../context.ts'
import { DirectoryRefusal } from './directory-refusal.ts'

export interface DirectoryPage {
  installation_id: string
  /** Changes if the database is restored, because the same versions then say something else. */
  epoch: string
  /** Send it as the next `after`. */
  version: number
  shards: { number: number; state: 'open' | 'closed' }[]
  placements: { account_id: string; shard: number; version: number; moving: boolean }[]
  /** Whether there are more placements now. */
  more: boolean
}

const placementsMax = 10_000

/**
 * The placements that changed after a version, oldest first.
 * @throws DirectoryRefusal on any shard but 0
 */
export async function readDirectory({ db }: Pick<Ctx, 'db'>, after: number): Promise<DirectoryPage> {
  const [row] = await db.query<Omit<DirectoryPage, 'more'> & { shard: number }>(
    // one statement is one snapshot, and versions commit in order: no placement below the version is missing
    // each kind of restore changes one part of the epoch: another server or its files, another database, another table
    `select i.id as installation_id, i.shard, i.directory_version as version,
       concat_ws('/', extract(epoch from pg_postmaster_start_time()), pg_relation_filenode('placement'),
         (select oid from pg_database where datname = current_database())) as epoch,
       (select json_agg(json_build_object('number', number, 'state', state) order by number) from shard) as shards,
       (select coalesce(json_agg(p order by version), '[]') from (
          select account_id, shard, version, moving from placement where version > $1 order by version limit $2
        ) p) as placements
     from installation i`,
    [after, placementsMax],
  )
  if (row?.shard !== 0) {
    throw new DirectoryRefusal('not_shard_0', 'This database is not shard 0, which has the directory.')
  }
  const { shard: _, ...page } = row
  const last = page.placements.length === placementsMax ? page.placements.at(-1) : undefined
  return { ...page, version: last?.version ?? page.version, more: last !== undefined }
}
