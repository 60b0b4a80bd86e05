import type { Queryable } from '../db/database.ts'
import type { Move } from './moved-account.ts'

const triesMax = 30
const tryEveryMs = 1_000

/** Makes the other shard copy the published rows and follow their changes. Does nothing if it does so already. */
export async function subscribe(move: Move): Promise<void> {
  const { source, target, name } = move
  for (let tries = 1; !(await isSubscribed(target.db, name)); tries++) {
    try {
      // an earlier command may have been killed between the slot and the subscription
      await dropSlots(source.db, name, null)
      await target.db.query(
        `create subscription ${name} connection ${connectionTo(source)} publication ${name} with (disable_on_error = true)`,
      )
    } catch (error) {
      // that command's statement may still be running
      if (tries === triesMax || !isInUse(error)) throw error
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
  return `'${url.replaceAll("'", "''")}'`
}

/** Ends the copying. From then on, nothing that the source does reaches the other shard. */
export async function unsubscribe(move: Move): Promise<void> {
  const { source, target, name } = move
  const [subscription] = await target.db.query<{ oid: number }>(
    'select oid::int8 as oid from pg_subscription where subname = $1 and subdbid = (select oid from pg_database where datname = current_database())',
    [name],
  )
  if (subscription !== undefined) {
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
      return await dropSlots(source.db, name, subscription?.oid ?? null)
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

/** Also those with which single tables were copied; a slot that is left would keep the write-ahead log of the source forever. */
async function dropSlots(db: Queryable, name: string, subscription: number | null): Promise<void> {
  await db.query(
    `select pg_drop_replication_slot(slot_name) from pg_replication_slots
     where database = current_database()
       and (slot_name = $1 or slot_name ~ ('^pg_' || $2::bigint || '_sync_'))`,
    [name, subscription],
  )
}

/** object_in_use, duplicate_object: the slot or the subscription of an earlier command. */
function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55006' || error.code === '42710')
}
