import type { Ctx } from '../context.ts'
import { DirectoryRefusal } from './directory-refusal.ts'
import { nextVersion } from './next-version.ts'

export interface PlacementChange {
  readonly account_id: string
  /** Null removes the placement. */
  readonly shard: number | null
}

/**
 * Corrects placements, for a rebuild of the directory. It must be at the version that the caller has read.
 * @returns the new version
 * @throws DirectoryRefusal
 */
export async function changePlacements(
  { db }: Pick<Ctx, 'db'>,
  { version, changes }: { version: number; changes: readonly PlacementChange[] },
): Promise<number> {
  return await db.transaction(async tx => {
    const next = await nextVersion(tx)
    if (next !== version + 1) {
      throw new DirectoryRefusal(
        'directory_changed',
        'The directory has changed in the meantime. Read it again.',
      )
    }
    const ids = changes.map(({ account_id }) => account_id)
    // before the others are inserted, so that a code may pass from one account to another
    await tx.query('delete from placement where account_id = any($1::uuid[])', [ids])
    const placed = changes.flatMap(({ account_id, shard }) => (shard === null ? [] : [{ account_id, shard }]))
    if (placed.length === 0) return next
    // each row gets a version of its own, because readers page by version
    await tx.query(
      `insert into placement (account_id, shard, version)
       select account_id, shard, $1::bigint + row_number() over (order by account_id)
       from json_to_recordset($2::json) as c (account_id uuid, shard smallint)`,
      [next, JSON.stringify(placed)],
    )
    const last = next + placed.length
    await tx.query('update installation set directory_version = $1', [last])
    return last
  })
}
