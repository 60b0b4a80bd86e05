import type { Ctx } from '../context.ts'
import { DirectoryRefusal } from './directory-refusal.ts'

/**
 * Makes this database a shard of an installation. Only one without accounts can join, and only once.
 * @throws DirectoryRefusal `shard_in_use`
 */
export async function joinInstallation(
  { db }: Pick<Ctx, 'db'>,
  asked: { installation_id: string; shard: number },
): Promise<void> {
  await db.transaction(async tx => {
    const [row] = await tx.query<{ id: string; shard: number }>(
      // the row lock waits for an account that is being created
      'select id, shard from installation for update',
    )
    if (row === undefined)
      throw new Error('the table "installation" is empty: restore the database from a backup')
    if (row.id === asked.installation_id && row.shard === asked.shard) return
    if (row.shard !== 0) {
      throw inUse(`It is already shard ${row.shard} of installation ${row.id}.`)
    }
    const [use] = await tx.query<{ accounts: number; placements: number; shards: number }>(
      `select (select count(*) from account) as accounts, (select count(*) from placement) as placements,
              (select count(*) from shard where number <> 0) as shards`,
    )
    if (use === undefined || use.accounts > 0) throw inUse('It has accounts.')
    if (use.placements > 0 || use.shards > 0) throw inUse('It has the directory of an installation.')
    if (asked.shard === 0) throw inUse('An installation has only one shard 0.')
    await tx.query('update installation set id = $1, shard = $2', [asked.installation_id, asked.shard])
  })
}

function inUse(reason: string): DirectoryRefusal {
  return new DirectoryRefusal(
    'shard_in_use',
    `This database cannot join: ${reason} Use a new, empty database.`,
  )
}
