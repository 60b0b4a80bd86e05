import type { Queryable } from '../db/database.ts'
import { expectedSchemaVersion } from '../db/migrate.ts'
import { countSealed } from '../master-keys/count-sealed.ts'
import { refuseWrongMasterKeys, someSealedValues } from '../master-keys/refuse-wrong-master-keys.ts'
import type { MasterKey } from '../seal/master-keys.ts'
import { readMove } from './move-state.ts'
import type { Move, ShardDatabase } from './moved-account.ts'

/** A move copies with this many replication slots at most. */
const slotsNeeded = 3

/** @throws Error with the first reason why the account cannot be moved, and what to do about it */
export async function checkMove(move: Move, masterKeys: readonly MasterKey[]): Promise<void> {
  await checkInstallation(move)
  await checkSchemas(move)
  if ((await readMove(move.source.db, move.accountId)) === null) await checkShard(move)
  await checkAccount(move)
  await checkRoles(move)
  await checkReplication(move)
  await checkDomains(move)
  for (const { db } of [move.source, move.target]) {
    refuseWrongMasterKeys(await someSealedValues(db, (await countSealed(db)).keys()), masterKeys)
  }
}

/** @throws Error if the shards have different schemas, or one that this release does not know */
export async function checkSchemas({ source, target }: Move): Promise<void> {
  const expected = await expectedSchemaVersion()
  for (const { number, db } of [source, target]) {
    const [row] = await db.query<{ version: number }>('select max(version) as version from schema_migration')
    if (row?.version !== expected) {
      throw new Error(
        `shard ${number} has schema version ${row?.version ?? 0}, but this release needs ${expected}: run one release everywhere, and repeat the command with it`,
      )
    }
  }
}

async function checkInstallation({ source, target, directory }: Move): Promise<void> {
  const own = await readInstallation(directory.db)
  for (const { db, number } of [source, target]) {
    if ((await readInstallation(db)) !== own)
      throw new Error(`shard ${number} belongs to another installation`)
  }
}

async function readInstallation(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>('select id from installation')
  return row?.id
}

/** A move that has begun goes on, even if the shard was closed since. */
async function checkShard({ target, directory }: Move): Promise<void> {
  const [row] = await directory.db.query<{ state: string }>('select state from shard where number = $1', [
    target.number,
  ])
  if (row === undefined)
    throw new Error(`the installation has no shard ${target.number}: add it with posthorn shards add`)
  if (row.state === 'closed') {
    throw new Error(
      `shard ${target.number} is closed and gets no accounts: open it with posthorn shards add, or choose another shard`,
    )
  }
}

async function checkAccount({ source, accountId }: Move): Promise<void> {
  const [row] = await source.db.query<{ deleted: boolean }>(
    `select deleted_at is not null as deleted from account where id = $1
     union all select false from account_move where account_id = $1 and step <> 'copying'`,
    [accountId],
  )
  if (row === undefined)
    throw new Error(
      `shard ${source.number} does not have the account: compare them with posthorn directory check`,
    )
  if (row.deleted) throw new Error('the account is deleted')
}

async function checkRoles({ source, target }: Move): Promise<void> {
  const mayPublish = await source.db.query(
    `select from pg_roles where rolname = current_user and (rolsuper or rolreplication)
       and has_database_privilege(current_database(), 'create')`,
  )
  if (mayPublish.length === 0)
    throw new Error(needsRight(source, 'must be a superuser, or have REPLICATION and CREATE on the database'))
  const maySubscribe = await target.db.query(
    `select from pg_roles me where me.rolname = current_user and (me.rolsuper or (
       has_database_privilege(current_database(), 'create')
       -- PostgreSQL 15 does not have this role
       and exists (select from pg_roles r where r.rolname = 'pg_create_subscription' and pg_has_role(r.oid, 'member'))
     ))`,
  )
  if (maySubscribe.length === 0) {
    throw new Error(
      needsRight(
        target,
        'must be a superuser, or from PostgreSQL 16 on have pg_create_subscription and CREATE on the database',
      ),
    )
  }
}

function needsRight({ number }: ShardDatabase, right: string): string {
  return `the role of shard ${number} in POSTHORN_SHARD_DATABASES ${right}`
}

async function checkReplication({ source, name }: Move): Promise<void> {
  const [row] = await source.db.query<{ level: string; free: number }>(
    `select current_setting('wal_level') as level,
       current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots where slot_name <> $1)
         as free`,
    [name],
  )
  if (row?.level !== 'logical') throw new Error(needsLogical(source))
  if (row.free < slotsNeeded) {
    throw new Error(
      `shard ${source.number} has ${row.free} free replication slots, and a move needs ${slotsNeeded}: raise max_replication_slots and max_wal_senders, and restart its PostgreSQL`,
    )
  }
}

function needsLogical({ number }: ShardDatabase): string {
  return `shard ${number} has another wal_level than logical: set wal_level = logical and restart its PostgreSQL`
}

/**
 * A verified domain belongs to one account of a shard.
 * @throws Error if another account of the other shard has verified a domain of this one
 */
export async function checkDomains({ source, target, accountId }: Move): Promise<void> {
  const domains = await source.db.query<{ name: string }>(
    'select name from sending_domain where account_id = $1 and verified_at is not null',
    [accountId],
  )
  const [taken] = await target.db.query<{ name: string }>(
    'select name from sending_domain where verified_at is not null and account_id <> $1 and name = any($2) limit 1',
    [accountId, domains.map(({ name }) => name)],
  )
  if (taken !== undefined)
    throw new Error(
      `another account on shard ${target.number} has verified ${taken.name}: one of the two must delete it first`,
    )
}
