import type { Queryable } from '../db/database.ts'

export interface Placement {
  shard: number
  moving: boolean
}

/** Where the directory (shard 0) says that an account is; null if it knows nothing about it. */
export async function readPlacement(directory: Queryable, accountId: string): Promise<Placement | null> {
  const [row] = await directory.query<Placement>(
    'select shard, moving from placement where account_id = $1',
    [accountId],
  )
  return row ?? null
}

/** Changes a placement. The row lock of `installation` makes versions commit in order. */
export async function writePlacement(
  directory: Queryable,
  accountId: string,
  { shard, moving }: Placement,
): Promise<void> {
  await directory.query(
    `with next as (
       update installation set directory_version = directory_version + 1 returning directory_version
     )
     update placement set shard = $2, moving = $3, version = next.directory_version from next where account_id = $1`,
    [accountId, shard, moving],
  )
}
