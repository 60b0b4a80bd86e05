import { type ServerState, shardMoveState } from '../domain/shard-move-state.ts'
import type { ShardMove, ShardServer } from './shard-servers.ts'

/** How far the move is. @throws Error if it cannot be finished, with what to do */
export async function readShardMove({ source, target }: ShardMove): Promise<'waiting' | 'moved'> {
  return shardMoveState(await readServer(source), await readServer(target))
}

/** @throws Error if the role is not a superuser */
export async function readServer({ name, db }: ShardServer): Promise<ServerState> {
  const [row] = await db.query<Omit<ServerState, 'name'> & { isSuperuser: boolean }>(
    `select pg_is_in_recovery() as "isStandby",
       current_setting('default_transaction_read_only')::boolean as "isReadOnly",
       (select system_identifier::text from pg_control_system()) as "systemId",
       current_setting('is_superuser')::boolean as "isSuperuser"`,
  )
  if (row === undefined) throw new Error(`${name} did not answer`)
  if (!row.isSuperuser) {
    throw new Error(
      `the role in POSTHORN_SHARD_DATABASES is not a superuser on ${name}, so it cannot stop writes there: use a superuser for this command`,
    )
  }
  return { name, isStandby: row.isStandby, isReadOnly: row.isReadOnly, systemId: row.systemId }
}
