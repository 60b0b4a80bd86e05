import type { Database } from '../../db/database.ts'
import { typeId } from '../../domain/type-id.ts'
import { changingSteps, type MoveStep } from '../../moves/move-state.ts'
import { moveName } from '../../moves/moved-account.ts'
import { asCalled } from '../called-as.ts'
import type { Check } from '../check.ts'

/** Steps after which no shard has the account until the move goes on. */
const stillSteps: readonly MoveStep[] = ['stopping', 'stopped', 'cancelling']

/** Tells about moves that have begun and not ended on the shard of this database. Finds nothing where no account moves. */
export async function checkMoves(database: Database): Promise<Check[]> {
  const moves = await database.query<{ id: string; to: number; step: MoveStep; begun: Date }>(
    `select account_id as id, to_shard as "to", step, started_at as begun from account_move
     where step = any($1::text[]) and from_shard = (select shard from installation) order by started_at`,
    [changingSteps],
  )
  const keptBytes = await readKeptBytes(
    database,
    moves.map(({ id }) => moveName(id)),
  )
  return moves.map(({ id, to, step, begun }) => {
    const account = typeId('acct', id)
    const isStill = stillSteps.includes(step)
    const log = keptBytes.get(moveName(id))
    const found = [
      `${account} has been moving to shard ${to} since ${begun.toISOString()}`,
      ...(isStill ? ['nothing is accepted or sent for it'] : []),
      ...(log === undefined ? [] : [`its copy keeps ${(log / 1e6).toFixed(0)} MB of the write-ahead log`]),
    ].join('; ')
    const again = `posthorn accounts move ${account} ${step === 'cancelling' ? '--cancel' : `--to ${to}`}`
    return {
      name: 'Move',
      state: isStill ? 'broken' : 'note',
      found,
      advice: asCalled(`If no command is working on it, run ${again} to finish it`),
    }
  })
}

/** What replication slots keep of the log, by name. */
async function readKeptBytes(database: Database, slots: readonly string[]): Promise<Map<string, number>> {
  if (slots.length === 0) return new Map()
  const rows = await database.query<{ name: string; bytes: number }>(
    `select slot_name::text as name, pg_wal_lsn_diff(
       case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, restart_lsn)::float8 as bytes
     from pg_replication_slots where slot_name = any($1::text[]) and restart_lsn is not null`,
    [slots],
  )
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}
