import type { Queryable } from '../db/database.ts'

export interface Installation {
  readonly id: string
  /** The number of the shard that this database is. */
  readonly shard: number
  /** Whether the directory names other shards. */
  readonly hasOthers: boolean
}

/** Which installation and which shard this database is. */
export async function readInstallation(db: Pick<Queryable, 'query'>): Promise<Installation> {
  const [row] = await db.query<Installation>(
    `select id, shard, exists (select from shard where number <> 0) as "hasOthers" from installation`,
  )
  if (row === undefined)
    throw new Error('the table "installation" is empty: restore the database from a backup')
  return row
}
