import type { Queryable } from '../db/database.ts'
import { primaryUrl } from '../db/split-hosts.ts'
import type { Move } from './moved-account.ts'

const triesMax = 30
const tryEveryMs = 1_000

/** Makes the other shard copy the published rows and follow their changes. Does nothing if it does so already. */
export async function subscribe(move: Move): Promise<void> {
  const { source, target, name } = move
  for (let tries = 1; !(await isSubscribed(target.db, name)); tries++) {
    try {
      // an earlier command may have been killed between the slot and the subscription
      await dropSlots(move)
      // if both shards are on one server, a subscription that creates its slot waits for itself
      await source.db.query(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [name])
      await target.db.query(
        `create subscription ${name} connection ${connectionTo(source)} publication ${name}
         with (create_slot = false, disable_on_error = true)`,
      )
    } catch (error) {
      // that command's statement may still be running
      if (tries === triesMax || !isInUse(error)) {
        await dropSlots(move)
        throw error
      }
      await move.wait(tryEveryMs)
    }
  }
}

/** Continues what an earlier command began, with the URL of this one, also if it had stopped with an error. */
export async function continueSubscription({ source, target, name }: Move): Promise<void> {
  if (!(await isSubscribed(target.db, name))) return
  await target.db.query(`alter subscription ${name} connection ${connectionTo(source)}`)
  await target.db.query(`alter subscription ${name} enable`)
}

function connectionTo({ url }: Move['source']): string {
  return `'${primaryUrl(url).replaceAll("'", "''")}'`
}

/** Ends the copying. From then on, nothing that the source does reaches the other shard. */
export async function unsubscribe(move: Move): Promise<void> {
  const { target, name } = move
  if (await isSubscribed(target.db, name)) {
    try {
      await target.db.query(`drop subscription ${name}`)
    } catch {
      // the slot is gone, or the source does not answer
      await target.db.query(`alter subscription ${name} disable`)
      await target.db.query(`alter subscription ${name} set (slot_name = none)`)
      await target.db.query(`drop subscription ${name}`)
    }
  }
  for (let tries = 1; ; tries++) {
    try {
      return await dropSlots(move)
    } catch (error) {
      if (tries === triesMax || !isInUse(error)) throw error
      await move.wait(tryEveryMs)
    }
  }
}

async function isSubscribed(db: Queryable, name: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 as one from pg_subscription
     where subname = $1 and subdbid = (select oid from pg_database where datname = current_database())`,
    [name],
  )
  return rows.length > 0
}

/**
 * Drops the slot of the move, and those with which single tables were copied for a subscription that is gone: a slot that is
 * left would keep the write-ahead log of the source forever. Their names have the number of the subscription and the id of
 * the other shard's server.
 */
async function dropSlots({ source, target, name }: Move): Promise<void> {
  const slots = await source.db.query<{ name: string; subscription: string | null; server: string | null }>(
    `select slot_name::text as name, substring(slot_name::text from '^pg_([0-9]+)_sync_') as subscription,
       substring(slot_name::text from '^pg_[0-9]+_sync_[0-9]+_([0-9]+)$') as server
     from pg_replication_slots where database = current_database()`,
  )
  // afterwards, because a subscription is there before its slots
  const [there] = await target.db.query<{ server: string; subscriptions: string[] }>(
    `select (select system_identifier::text from pg_control_system()) as server,
       array(select oid::text from pg_subscription) as subscriptions`,
  )
  const isLeft = ({ server, subscription }: (typeof slots)[number]): boolean =>
    server !== null && server === there?.server && !there.subscriptions.includes(subscription ?? '')
  await source.db.query(
    'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = any($1::text[])',
    [slots.filter(slot => slot.name === name || isLeft(slot)).map(slot => slot.name)],
  )
}

/** object_in_use, duplicate_object: the slot or the subscription of an earlier command. */
function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55006' || error.code === '42710')
}
