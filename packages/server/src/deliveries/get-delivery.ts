import type { Attempt, Delivery } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { Lookups } from '../db/database.ts'
import { noticeTypesSql } from '../notices/notice-types.ts'
import { type AttemptRow, attemptColumns, toAttempt } from './attempt-row.ts'
import { deliveryNotFound } from './delivery-not-found.ts'
import { type DeliveryRow, selectDeliveries, toDelivery } from './row.ts'

/** One delivery with its attempts, oldest first. It stays readable after its endpoint is deleted. */
export async function getDelivery(ctx: Ctx, accountId: string, deliveryId: string): Promise<Delivery> {
  const delivery = await readDelivery(ctx, accountId, deliveryId)
  return { ...delivery, attempts: await readAttempts(ctx.history, accountId, deliveryId, delivery) }
}

/** One delivery without its attempts. */
export async function readDelivery(
  { history, settings }: Pick<Ctx, 'history' | 'settings'>,
  accountId: string,
  deliveryId: string,
): Promise<Delivery> {
  const [row] = await history.query<DeliveryRow>(
    // the order forces the primary key, even in a plan that was made while the partition was empty
    `${selectDeliveries('delivery', true)}
     where d.account_id = $1 and d.id >= $2 and d.id <= $2 and d.type <> all(${noticeTypesSql})
     order by d.id limit 1`,
    [accountId, deliveryId],
  )
  if (row === undefined) throw deliveryNotFound()
  return toDelivery(row, settings)
}

async function readAttempts(
  db: Lookups,
  accountId: string,
  deliveryId: string,
  delivery: Delivery,
): Promise<Attempt[]> {
  const rows = await db.query<AttemptRow>(
    `select ${attemptColumns} from attempt where account_id = $1 and delivery_id = $2 order by number, id`,
    [accountId, deliveryId],
  )
  return rows.map(row => toAttempt(row, delivery))
}
