import { accountTables } from '../accounts/account-tables.ts'
import type { Move } from './moved-account.ts'

/** How far the copying is. Rows are estimated, because counting them would read them all. */
export interface CopyProgress {
  rows: number
  rowsInAll: number
  isComplete: boolean
}

const streamed = accountTables.filter(({ transfer }) => transfer === 'streamed').map(({ table }) => table)

/** About how many rows of each streamed table the account has, by the planner's statistics. */
export async function estimateRows({ source, accountId }: Move): Promise<Map<string, number>> {
  const estimates = new Map<string, number>()
  for (const table of streamed) {
    const [row] = await source.db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      `explain (format json) select from ${table} where account_id = '${accountId}'`,
    )
    estimates.set(table, row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0)
  }
  return estimates
}

/** @throws Error if the copying has stopped with an error */
export async function readProgress(
  { target, name }: Move,
  estimates: ReadonlyMap<string, number>,
): Promise<CopyProgress> {
  const tables = await target.db.query<{ table: string; state: string; rows: number; enabled: boolean }>(
    `select r.srrelid::regclass::text as table, r.srsubstate as state, s.subenabled as enabled,
       coalesce((
         select sum(c.tuples_processed) from pg_stat_progress_copy c
         where c.datname = current_database() and (c.relid = r.srrelid
           or c.relid in (select inhrelid from pg_inherits where inhparent = r.srrelid))
       ), 0)::float8 as rows
     from pg_subscription s join pg_subscription_rel r on r.srsubid = s.oid
     where s.subname = $1 and s.subdbid = (select oid from pg_database where datname = current_database())`,
    [name],
  )
  if (tables.some(({ enabled }) => !enabled)) {
    throw new Error(
      'the copying stopped with an error; the log of the PostgreSQL server of the other shard names it. Correct it and repeat the command, or undo the move with --cancel',
    )
  }
  let rows = 0
  for (const { table, state, rows: copied } of tables) {
    const inAll = estimates.get(table) ?? 0
    rows += isCopied(state) ? inAll : Math.min(copied, inAll)
  }
  return {
    rows,
    rowsInAll: [...estimates.values()].reduce((sum, one) => sum + one, 0),
    isComplete: tables.length > 0 && tables.every(({ state }) => state === 'r'),
  }
}

/** f: copied; s, r: it follows the changes. */
function isCopied(state: string): boolean {
  return state === 'f' || state === 's' || state === 'r'
}

const nearBytes = 1_000_000

/** Whether the other shard lacks so little that it will have the rest within a moment. */
export async function isCaughtUp({ source, name }: Move): Promise<boolean> {
  const rows = await source.db.query(
    `select 1 as one from pg_replication_slots
     where slot_name = $1 and pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn) < ${nearBytes}`,
    [name],
  )
  return rows.length > 0
}
