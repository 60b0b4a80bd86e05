import { hash } from 'node:crypto'
import { routes } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { typeId } from '../domain/type-id.ts'
import { AppError } from '../errors.ts'

/** The control: everything that a verb may import, and an awaited promise. */
export async function clean(ctx: Ctx, db: Queryable): Promise<unknown[]> {
  await db.query('select 1')
  return [hash, routes, ctx, typeId, AppError]
}
