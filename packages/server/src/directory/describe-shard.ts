import type { Queryable } from '../db/database.ts'

export interface ShardDescription {
  installation_id: string
  shard: number
  /** The version of Posthorn. */
  version: string
  /** The number of the newest migration. */
  schema: number
  /** With deleted accounts whose data is still here. */
  accounts: number
}

/** What a shard says about itself. */
export async function describeShard(
  { db }: { db: Pick<Queryable, 'query'> },
  version: string,
): Promise<ShardDescription> {
  const [row] = await db.query<Omit<ShardDescription, 'version'>>(
    `select id as installation_id, shard, (select max(version) from schema_migration) as schema,
            (select count(*) from account) as accounts
     from installation`,
  )
  if (row === undefined)
    throw new Error('the table "installation" is empty: restore the database from a backup')
  return { ...row, version }
}
