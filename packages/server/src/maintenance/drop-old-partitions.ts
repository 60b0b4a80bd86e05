import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { firstUuidV7At, uuidV7Ms } from '../domain/uuid-v7.ts'
import { partitionedTables } from './ensure-partitions.ts'
import { type ExpiredDeliveries, expireQueued } from './expire-queued.ts'
import { forgetOutcomes } from './forget-outcomes.ts'

export interface RetentionOptions {
  embedded: boolean
  /** Called for each endpoint whose deliveries were given up, so that the operator learns of it. */
  onExpired: (expired: ExpiredDeliveries) => void
}

export interface RetentionReport {
  expired: number
  /** Names of the dropped partitions. */
  dropped: string[]
  outcomesForgotten: number
  recipientsForgotten: number
}

const dayMs = 86_400_000

/** Partitions stay one hour longer, because late results must find them. */
const graceMs = 60 * 60_000

/**
 * Drops the partitions of days that are older than the retention. First it gives up and counts the deliveries of those days
 * that are still queued. A day stays while one of its attempts is in progress.
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
  /** False if an earlier run ended between detaching and dropping. */
  attached: boolean
  /** An earlier run ended while it was detaching. */
  halfDetached: boolean
}

/**
 * Finds partitions by name, to include detached ones. Within a day, events come first and attempts last: without its event,
 * a late result is not written.
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
 * When the oldest queued delivery, or email that is still to be handed over, was created. Only those before the id count;
 * infinity if there are none.
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
 * Detaches the partition concurrently before dropping it, so that reads and writes of the table continue. The embedded
 * database has one connection and does not need that.
 */
async function dropPartition(db: Queryable, partition: Partition, embedded: boolean): Promise<void> {
  const { table, name, attached, halfDetached } = partition
  if (attached && !embedded) {
    const how = halfDetached ? 'finalize' : 'concurrently'
    await unlessDetached(db.query(`alter table ${table} detach partition ${name} ${how}`))
  }
  await db.query(`drop table if exists ${name}`)
}

/** Ignores the errors that mean that another process has already detached or is detaching the partition. */
async function unlessDetached(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // undefined_table, object_not_in_prerequisite_state
    if (code !== '42P01' && code !== '55000') throw error
  }
}
