import type { Operator, Page } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { idCursor, type PageInput, toPage } from '../page.ts'
import { operatorColumns, type OperatorRow, toOperator } from './row.ts'

/** All named tokens, including expired ones, newest first. */
export async function listOperators(ctx: Ctx, input: PageInput): Promise<Page<Operator>> {
  const rows = await ctx.db.query<OperatorRow>(
    `select ${operatorColumns} from operator_token o
     where $1::uuid is null or o.id < $1
     order by o.id desc limit $2`,
    [idCursor(input.cursor), input.limit + 1],
  )
  return toPage(rows, input.limit, row => row.id, toOperator)
}
