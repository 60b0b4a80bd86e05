import type { Queryable } from '../db/database.ts'
import { DirectoryRefusal } from './directory-refusal.ts'

/**
 * Takes the next version of the directory. The row lock makes versions commit in order, so that readers miss none.
 * @throws DirectoryRefusal on any shard but 0
 */
export async function nextVersion(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ version: number }>(
    `update installation set directory_version = directory_version + 1 where shard = 0
     returning directory_version as version`,
  )
  if (row === undefined) {
    throw new DirectoryRefusal('not_shard_0', 'This database is not shard 0, which has the directory.')
  }
  return row.version
}
