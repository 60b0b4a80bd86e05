import type { Ctx } from '../context.ts'
import { nextVersion } from './next-version.ts'

export interface ShardState {
  readonly number: number
  readonly state: 'open' | 'closed'
}

/**
 * Adds a shard to the directory, or opens or closes it.
 * @throws DirectoryRefusal on any shard but 0
 */
export async function setShard({ db }: Pick<Ctx, 'db'>, { number, state }: ShardState): Promise<ShardState> {
  return await db.transaction(async tx => {
    await nextVersion(tx)
    await tx.query(
      'insert into shard (number, state) values ($1, $2) on conflict (number) do update set state = excluded.state',
      [number, state],
    )
    return { number, state }
  })
}
