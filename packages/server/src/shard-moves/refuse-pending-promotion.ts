import type { ShardServer } from './shard-servers.ts'

/**
 * A server may still become a primary after the command that told it to has given up. Until then, no fence may be lifted.
 * @throws Error if the standby was told to become a primary
 */
export async function refusePendingPromotion({ name, db }: ShardServer): Promise<void> {
  // the server removes this file when it begins with the promotion, and from then on refuses to resume the replay
  const told = await db.query(
    `select 1 as one from pg_stat_file('promote', true) as file where file.size is not null`,
  )
  if (told.length === 0 && (await mayReplay(db))) return
  throw new Error(
    `${name} was told to become a primary and is not one yet: wait until it is, and repeat the command without --cancel`,
  )
}

/** While the replay is paused, no promotion has begun. */
async function mayReplay(db: ShardServer['db']): Promise<boolean> {
  try {
    await db.query('select pg_wal_replay_resume() where not pg_is_wal_replay_paused()')
    return true
  } catch (error) {
    // object_not_in_prerequisite_state
    if (error instanceof Error && 'code' in error && error.code === '55000') return false
    throw error
  }
}
