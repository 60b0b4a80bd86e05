import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { firstUuidV7At, uuidV7Ms } from '../domain/uuid-v7.ts'
import { partitionedTables } from './ensure-partitions.ts'
import { type ExpiredDeliveries, expireQueued } from './expire-queued.ts'
import { forgetOutcomes } from './forget-outcomes.ts'

export interface RetentionOptions {
  embedded: boolean
  /** What was given up, by endpoint: it must not go unseen. */
  onExpired: (expired: ExpiredDeliveries) => void
}

export interface RetentionReport {
  expired: number
  /** Names of the partitions that are gone. */
  dropped: string[]
  outcomesForgotten: number
  recipientsForgotten: number
}

const dayMs = 86_400_000

/** Results that come late must find their partition: an attempt is over long before this. */
const graceMs = 60 * 60_000

/**
 * Keeps what is younger than the operator's days and drops the rest, whole days at once. Before a day goes, whatever
 * is still queued of it is given up, counted and told; a day in which an attempt is under way stays until it has ended.
 * @param nowMs from the maintenance gate
 */
export async function dropOldPartitions(
  ctx: Pick<Ctx, 'db' | 'settings'>,
  nowMs: number,
  options: RetentionOptions,
): Promise<RetentionReport> {
  const { db } = ctx
  const oldMs = nowMs - ctx.settings.retentionDays * dayMs
  const partitions = await readPartitions(db)
  const report: RetentionReport = { expired: 0, dropped: [], outcomesForgotten: 0, recipientsForgotten: 0 }
  const old = partitions.filter(partition => partition.endMs <= oldMs)
  const firstDayMs = Math.min(...partitions.filter(one => one.attached).map(one => one.endMs - dayMs))
  const keptFromMs = Math.max(firstDayMs, ...old.map(partition => partition.endMs))
  if (!Number.isFinite(keptFromMs)) return report

  report.expired = await expireQueued(
    db,
    { beforeId: firstUuidV7At(keptFromMs), lostBeforeId: firstUuidV7At(firstDayMs) },
    options.onExpired,
  )
  const queuedFromMs = await firstQueuedMs(db, firstUuidV7At(keptFromMs))
  const droppable = old.filter(({ endMs }) => endMs <= Math.min(oldMs - graceMs, queuedFromMs))
  if (droppable.length === 0) return report
  const forgottenMs = Math.max(...droppable.map(partition => partition.endMs))
  const forgotten = await forgetOutcomes(db, firstUuidV7At(forgottenMs))
  report.outcomesForgotten = forgotten.outcomes
  report.recipientsForgotten = forgotten.recipients
  for (const partition of droppable) {
    await dropPartition(db, partition, options.embedded)
    report.dropped.push(partition.name)
  }
  return report
}

interface Partition {
  table: string
  name: string
  endMs: number
  /** False when an earlier run was cut off between detaching and dropping. */
  attached: boolean
  /** An earlier run was cut off while it detached. */
  halfDetached: boolean
}

/**
 * By their names, so that one that is detached already is found as well. Of each day events come first and attempts last: a
 * late result looks for its event, and is not written without.
 */
async function readPartitions(db: Queryable): Promise<Partition[]> {
  const rows = await db.query<{ name: string; attached: boolean; half_detached: boolean }>(
    `select c.relname as name, i.inhrelid is not null as attached,
       coalesce(i.inhdetachpending, false) as half_detached
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
       and c.relname ~ ('^(' || $1 || ')_[0-9]{8}$')
     order by right(c.relname, 8), c.relname desc`,
    [partitionedTables.map(({ table }) => table).join('|')],
  )
  return rows.map(({ name, attached, half_detached: halfDetached }) => {
    const table = name.slice(0, -9)
    const day = name.slice(-8)
    const startMs = Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`)
    return { table, name, endMs: startMs + dayMs, attached, halfDetached }
  })
}

/**
 * When the oldest delivery was made that is still queued, or email that still has to be handed over, of those before the
 * id; infinity when there is none.
 */
async function firstQueuedMs(db: Queryable, beforeId: string): Promise<number> {
  const [row] = await db.query<{ first: string | null }>(
    `select least(
       (select min(delivery_id::text) from queue where delivery_id < $1),
       (select min(email_id::text) from handover where email_id < $1)) as first`,
    [beforeId],
  )
  return row?.first === null || row === undefined ? Number.POSITIVE_INFINITY : uuidV7Ms(row.first)
}

/**
 * Detached concurrently, reads and writes of the table go on, and the drop then concerns nobody. The embedded database
 * has one connection, so there is nobody to be concerned.
 */
async function dropPartition(db: Queryable, partition: Partition, embedded: boolean): Promise<void> {
  const { table, name, attached, halfDetached } = partition
  if (attached && !embedded) {
    const how = halfDetached ? 'finalize' : 'concurrently'
    await unlessGone(db.query(`alter table ${table} detach partition ${name} ${how}`))
  }
  await db.query(`drop table if exists ${name}`)
}

/** Another process was faster: undefined_table, or not a partition any more, or being detached. */
async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== '42P01' && code !== '55000') throw error
  }
}
