import type { Queryable } from '../db/database.ts'
import type { RetryPolicy } from '../domain/backoff.ts'
import { recover } from '../dispatch/recover.ts'
import type { Move } from './moved-account.ts'
import { changeStep } from './move-state.ts'
import { writePlacement } from './placement.ts'
import { waitForTransactions } from './wait-for-transactions.ts'

/** How long a transaction or an attempt may take to end before the account is given back. */
const endsWithinMs = 90_000
const pollMs = 20

/**
 * Stops everything that the source does for the account, and waits until nothing of it is in flight: first emails that are being
 * handed over, because their outcomes must still be stored, then requests and attempts. The source's last word is the step
 * `stopped`. Can be repeated after it was killed.
 */
export async function stopAccount(move: Move, retry: RetryPolicy): Promise<void> {
  const { source, accountId, wait } = move
  const waiting = { wait, msMax: endsWithinMs }
  await changeStep(source.db, accountId, ['copying'], 'stopping')
  await waitForTransactions(source.db, waiting)
  await until(
    move,
    'an email is being handed over to the mail server',
    async () => !(await isMailTaken(move)),
  )

  // so that fronts answer that it moves, and not that it is unknown
  await writePlacement(move.directory.db, accountId, { shard: source.number, moving: true })
  await whileStopping(move, async tx => await takeAway(tx, accountId))
  await whileStopping(move, async tx => await stopEndpoints(tx, accountId))
  await waitForTransactions(source.db, waiting)
  await until(move, 'an attempt is in flight', async () => await isQuiet(move, retry))
  if (!(await changeStep(source.db, accountId, ['stopping'], 'stopped'))) throw new Error(undone)
}

const undone = 'another command has undone this move'

/**
 * Runs `work` only if no other command has given the account back, and none can meanwhile. The locks of a command are not enough:
 * they end with its sessions, and it may go on.
 */
async function whileStopping(
  { source, accountId }: Move,
  work: (tx: Queryable) => Promise<void>,
): Promise<void> {
  await source.db.transaction(async tx => {
    if (!(await changeStep(tx, accountId, ['stopping'], 'stopping'))) throw new Error(undone)
    await work(tx)
  })
}

/** Gives the account back to the source, unless the other shard may have it already. */
export async function resumeAccount({ source, directory, accountId }: Move): Promise<void> {
  await source.db.transaction(async tx => {
    const isOurs = await changeStep(tx, accountId, ['copying', 'stopping', 'cancelling'], 'copying')
    if (!isOurs) throw new Error('the move has gone too far to give the account back')
    await restoreAccount(tx, accountId)
    await startEndpoints(tx, accountId)
  })
  await writePlacement(directory.db, accountId, { shard: source.number, moving: false })
}

/** Puts the row that the move keeps into `account`: this shard has the account. */
export async function restoreAccount(tx: Queryable, accountId: string): Promise<void> {
  await tx.query(
    `insert into account select a.* from account_move m, jsonb_populate_record(null::account, m.account) a
     where m.account_id = $1 and m.account is not null`,
    [accountId],
  )
  await tx.query('update account_move set account = null where account_id = $1', [accountId])
}

/** Makes dispatchers claim from the endpoints again. A new version, because the URL or the keys are read again. */
export async function startEndpoints(db: Queryable, accountId: string): Promise<void> {
  await db.query(
    `update endpoint set status = 'enabled', version = version + 1 where account_id = $1 and status = 'moving'`,
    [accountId],
  )
}

/** Without its row, requests of the account are refused, and no report for it is stored. */
async function takeAway(db: Queryable, accountId: string): Promise<void> {
  await db.query(
    `with taken as (delete from account where id = $1 returning *)
     update account_move m set account = to_jsonb(taken) from taken where m.account_id = $1`,
    [accountId],
  )
}

/**
 * Nothing is claimed from them any more. In a transaction of its own, because requests lock an endpoint before they look for the
 * account. The new version makes a 410 that arrives now change nothing.
 */
async function stopEndpoints(db: Queryable, accountId: string): Promise<void> {
  await db.query(
    `with enabled as materialized (
       select id from endpoint where account_id = $1 and status = 'enabled' and deleted_at is null
       order by id
       for no key update
     )
     update endpoint e set status = 'moving', version = e.version + 1
     from enabled where e.account_id = $1 and e.id = enabled.id`,
    [accountId],
  )
}

async function isMailTaken({ source, accountId }: Move): Promise<boolean> {
  const rows = await source.db.query(
    `select 1 as one from handover where account_id = $1 and taken_by is not null and due_at > now() limit 1`,
    [accountId],
  )
  return rows.length > 0
}

/** Whether no attempt is in flight, and all results are written. */
async function isQuiet({ source: { db }, accountId }: Move, retry: RetryPolicy): Promise<boolean> {
  const [{ isHeld, isErasing } = { isHeld: true, isErasing: true }] = await db.query<{
    isHeld: boolean
    isErasing: boolean
  }>(
    // short index ranges, because the queue may be long
    `select exists (
         select from endpoint e cross join lateral (
           select from queue q where q.process = any (array(select number from process)) and q.endpoint_id = e.id limit 1
         ) q where e.account_id = $1
       ) as "isHeld",
       -- these deliveries were removed from the queue during their attempts
       exists (
         select from erasure where account_id = $1 and state = 'running' and under_way_until > now()
       ) as "isErasing"`,
    [accountId],
  )
  if (isHeld) await recover(db, { expired: true, retry })
  if (isHeld || isErasing) return false
  const held = await db.query(
    'select 1 as one from queue where account_id = $1 and process is not null limit 1',
    [accountId],
  )
  return held.length === 0
}

async function until({ wait }: Move, what: string, condition: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; !(await condition()); waitedMs += pollMs) {
    if (waitedMs >= endsWithinMs)
      throw new Error(`${what} for more than ${endsWithinMs / 1_000} seconds; repeat the command`)
    await wait(pollMs)
  }
}
