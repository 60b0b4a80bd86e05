import type { ShardServer } from './shard-servers.ts'

/**
 * A promotion may still succeed after the command that began it has given up. Until then, no fence may be lifted.
 * @throws Error if the promotion of this standby has begun
 */
export async function refusePendingPromotion({ name, db }: ShardServer): Promise<void> {
  // the standby removes this file when it sees it, and from then on refuses to resume the replay
  const asked = await db.query(
    `select 1 as one from pg_stat_file('promote', true) as file where file.size is not null`,
  )
  if (asked.length === 0 && (await mayReplay(db))) return
  throw new Error(
    `the promotion of ${name} has begun and not ended: wait until it has, and repeat the command without --cancel`,
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
