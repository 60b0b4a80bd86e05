import type { Queryable } from '../../packages/server/src/db/database.ts'
import { parseTypeId } from '../../packages/server/src/domain/type-id.ts'
import { openPlace } from '../../packages/server/test/support/open-place.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { type Load, spent } from './measure-cost.ts'
import type { Traffic } from './reported.ts'
import { startStage } from './stage.ts'

export interface LargeIndexes {
  /** Bytes written to the WAL for each event, and CPU of PostgreSQL in microseconds. */
  logBytes: number
  databaseUs: number
  unbalanced: string[]
}

/** What the filled database has. */
export interface History {
  outcomeIds: number
  events: number
}

/**
 * What an event costs the database if the indexes with random keys are so large that nearly every entry is the first one on
 * its page since the last checkpoint, so that the WAL gets whole pages. `wal_compression` is as docs/run/postgresql.md says.
 */
export async function measureLargeIndexes(
  traffic: Traffic,
  load: Load,
  history: History,
  postgres: PostgresServer,
): Promise<LargeIndexes> {
  await using stage = await startStage([postgres], { hasFront: false })
  const [shard] = stage.installation.shards
  if (shard === undefined) throw new Error('there is no shard')
  await stage.deliver(traffic, load.warmUp)
  await using db = await openPlace(shard.place)
  await fillIndexes(db, stage.accountIds, history)
  await db.query(`alter system set wal_compression = 'lz4'`)
  await db.query('select pg_reload_conf()')
  await db.query('checkpoint')

  const before = await spent(stage.installation)
  await stage.deliver(traffic, load.outcomes)
  const after = await spent(stage.installation)

  await db.query('alter system reset wal_compression')
  await db.query('select pg_reload_conf()')
  await deleteFill(db)
  return {
    logBytes: (after.logBytes - before.logBytes) / load.outcomes,
    databaseUs: (after.databases - before.databases) / load.outcomes,
    unbalanced: await stage.end(),
  }
}

/** The rows of one statement, so that it ends before the statement timeout. */
const rowsEach = 100_000

/** Writes outcome ids, and events with random search keys that are spread over the accounts. */
async function fillIndexes(
  db: Queryable,
  accountIds: readonly string[],
  { outcomeIds, events }: History,
): Promise<void> {
  const accounts = accountIds.map(id => parseTypeId('acct', id))
  const account = `($1::uuid[])[n % ${accounts.length} + 1]`
  const numbers = 'generate_series($2::int, $3::int) n'
  const inSlices = async (rows: number, statement: string): Promise<void> => {
    for (let first = 1; first <= rows; first += rowsEach)
      await db.query(statement, [accounts, first, Math.min(rows, first + rowsEach - 1)])
  }
  await inSlices(
    outcomeIds,
    `insert into outcome_key (account_id, digest, event_id)
     select ${account}, substr(sha256(n::text::bytea), 1, 16), ${account} from ${numbers}`,
  )
  const randomKey = `('x' || substr(md5(n::text || k), 1, 16))::bit(64)::bigint`
  // ids of today, so that new events share the partition
  const today = `substr((select id from event order by id desc limit 1)::text, 1, 14)`
  await inSlices(
    events,
    `insert into event (account_id, id, type, search_keys, body)
     select ${account}, (${today} || '7' || substr(md5(n::text), 1, 3) || '-8' || substr(md5(n::text), 4, 3) || '-' || substr(md5(n::text), 7, 12))::uuid,
       'email.delivered', array(select ${randomKey} from generate_series(1, 2) k), ''
     from ${numbers}`,
  )
  for (const table of ['outcome_key', 'event']) await db.query(`vacuum analyze ${table}`)
}

/** Deletes the events that no report created, so that the ledger balances. */
async function deleteFill(db: Queryable): Promise<void> {
  const slice = `select account_id, id from event where body = '' limit ${rowsEach}`
  let rows: unknown[]
  do {
    rows = await db.query(`delete from event where (account_id, id) in (${slice}) returning 1 as one`)
  } while (rows.length > 0)
}
