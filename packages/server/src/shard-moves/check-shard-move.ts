import { readShardMove } from './read-server.ts'
import { refusePendingPromotion } from './refuse-pending-promotion.ts'
import type { ShardMove } from './shard-servers.ts'

/** @throws Error with the first reason why the target cannot take over the shard, and what to do about it */
export async function checkShardMove(move: ShardMove): Promise<void> {
  if ((await readShardMove(move)) === 'moved') return
  await refusePendingPromotion(move.target)
  await checkNumber(move)
  await checkStream(move)
  await checkTarget(move)
  await checkCollation(move)
  await checkRoles(move)
  await refuseLogicalReplication(move)
}

async function checkNumber({ number, source }: ShardMove): Promise<void> {
  const [row] = await source.db.query<{ shard: number }>('select shard from installation')
  if (row?.shard !== number) {
    throw new Error(
      `the database of shard ${number} in POSTHORN_SHARD_DATABASES is that of shard ${row?.shard ?? '?'}: correct the setting`,
    )
  }
}

async function checkStream({ source, target }: ShardMove): Promise<void> {
  const [own] = await source.db.query<{ timeline: number; followers: number }>(
    `select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
       (select count(*) from pg_stat_replication where state = 'streaming') as followers`,
  )
  const [stream] = await target.db.query<{ timeline: number }>(
    `select received_tli as timeline from pg_stat_wal_receiver where status = 'streaming'`,
  )
  if (stream === undefined || own === undefined || own.followers === 0) {
    throw new Error(
      `${target.name} does not stream from ${source.name}: its log says why; wait until it does, and repeat the command`,
    )
  }
  if (stream.timeline !== own.timeline) {
    throw new Error(
      `${target.name} follows timeline ${stream.timeline}, but ${source.name} is on ${own.timeline}: make the standby again`,
    )
  }
}

async function checkTarget({ target }: ShardMove): Promise<void> {
  const [row] = await target.db.query<{ paused: boolean; waitsFor: string }>(
    `select pg_is_wal_replay_paused() as paused,
       case when exists (select from pg_stat_replication) then '' else current_setting('synchronous_standby_names') end
         as "waitsFor"`,
  )
  if (row?.paused === true)
    throw new Error(`the replay of ${target.name} is paused: run "select pg_wal_replay_resume()" there`)
  if (row !== undefined && row.waitsFor !== '') {
    throw new Error(
      `${target.name} has synchronous_standby_names = '${row.waitsFor}', but no standby, so its commits would wait forever: start a standby that follows it, or empty the setting there`,
    )
  }
}

/** Another version of the system library may sort texts in another order than the indexes. */
async function checkCollation({ source, target }: ShardMove): Promise<void> {
  const rows = await target.db.query(
    `select from pg_database
     where datname = current_database() and datcollversion is not null
       and datcollversion is distinct from pg_database_collation_actual_version(oid)`,
  )
  if (rows.length > 0) {
    throw new Error(
      `${target.name} sorts texts in another order than the indexes of ${source.name}: use the same release of the operating system`,
    )
  }
}

/** A setting of a role or a database replaces that of the server, and the standby has it too. */
async function checkRoles({ source }: ShardMove): Promise<void> {
  const rows = await source.db.query(
    `select from pg_db_role_setting where array_to_string(setconfig, ' ') ~ 'default_transaction_read_only='`,
  )
  if (rows.length > 0) {
    throw new Error(
      'a role or a database has its own default_transaction_read_only: remove it with alter role … reset or alter database … reset',
    )
  }
}

/** A promoted standby has neither the slots nor the place of a subscription. */
export async function refuseLogicalReplication({ source }: ShardMove): Promise<void> {
  const rows = await source.db.query<{ name: string }>(
    `select slot_name::text as name from pg_replication_slots where slot_type = 'logical'
     union all select subname::text from pg_subscription`,
  )
  if (rows.length > 0) {
    throw new Error(
      `${source.name} takes part in logical replication (${rows.map(({ name }) => name).join(', ')}): finish or cancel the moves of accounts first`,
    )
  }
}
